import { Select } from '@mantine/core';
import { IconArrowUp, IconDeviceDesktop, IconPlus, IconX } from '@tabler/icons-react';
import { IconAction } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

interface Properties {
  jumps: readonly string[];
  others: readonly string[];
  onChange(jumps: string[]): void;
}

/** Ordered hosts between this computer and the one described. */
export function JumpPicker({ jumps, others, onChange }: Properties) {
  const free = others.filter((name) => !jumps.includes(name));
  return (
    <ol className={classes.jumps} aria-label="Jump hosts">
      <li>
        <IconDeviceDesktop size={16} stroke={1.6} aria-hidden="true" />
        this computer
      </li>
      {jumps.map((name, index) => (
        <li key={name}>
          <span className={classes.jump}>
            {name}
            {!others.includes(name) && <em>not found</em>}
          </span>
          {index > 0 && (
            <IconAction label={`Move jump host ${name} up`} onClick={() => onChange(swapped(jumps, index))}>
              <IconArrowUp size={16} stroke={1.6} />
            </IconAction>
          )}
          <IconAction
            label={`Remove jump host ${name}`}
            onClick={() => onChange(jumps.filter((other) => other !== name))}
          >
            <IconX size={16} stroke={1.6} />
          </IconAction>
        </li>
      ))}
      <li>
        {free.length > 0 ? (
          <Select
            aria-label="Add a jump host"
            placeholder={jumps.length === 0 ? 'None: direct. Add…' : 'Add…'}
            leftSection={<IconPlus size={14} />}
            w={240}
            value={null}
            data={free}
            onChange={(name) => name && onChange([...jumps, name])}
          />
        ) : (
          jumps.length === 0 && <span className="kp-dim">none: direct connection. Add hosts to choose them here.</span>
        )}
      </li>
    </ol>
  );
}

function swapped(jumps: readonly string[], index: number): string[] {
  const copy = [...jumps];
  const [name] = copy.splice(index, 1);
  if (name !== undefined) copy.splice(index - 1, 0, name);
  return copy;
}
