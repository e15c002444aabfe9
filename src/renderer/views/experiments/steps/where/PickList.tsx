import { Radio } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './where.module.css';

interface Item {
  name: string;
  title: string;
  words: string;
  aside?: ReactNode;
}

/** Selects one of a few, or of many in a list that scrolls, with distinguishing details. The selected one is visible at first. */
export function PickList({
  label,
  items,
  chosen,
  onChoose,
}: {
  label: string;
  items: readonly Item[];
  chosen: string;
  onChoose(name: string): void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picked = list.current?.querySelector<HTMLElement>('[data-chosen]');
    if (list.current && picked) list.current.scrollTop = picked.offsetTop - picked.offsetHeight;
  }, []);
  return (
    <Radio.Group
      ref={list}
      className={classes.picks ?? ''}
      label={label}
      labelProps={{ className: 'kp-visually-hidden' }}
      value={chosen}
      onChange={onChoose}
    >
      {items.map(({ name, title, words, aside }) => (
        <label key={name} htmlFor={`${id}-${name}`} className={classes.pick} data-chosen={name === chosen || undefined}>
          <Radio id={`${id}-${name}`} value={name} aria-label={title} />
          <span>
            <strong>{title}</strong>
            <span className="kp-small">{words}</span>
          </span>
          {aside}
        </label>
      ))}
    </Radio.Group>
  );
}
