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
            {!others.includes(name) && <em>is not among the hosts</em>}
          </span>
          {index > 0 && (
            <IconAction label={`Pass through ${name} earlier`} onClick={() => onChange(swapped(jumps, index))}>
              <IconArrowUp size={16} stroke={1.6} />
            </IconAction>
          )}
          <IconAction
            label={`Do not pass through ${name}`}
            onClick={() => onChange(jumps.filter((other) => other !== name))}
          >
            <IconX size={16} stroke={1.6} />
          </IconAction>
        </li>
      ))}
      <li>
        {free.length > 0 ? (
          <Select
            aria-label="Pass through another host"
            placeholder={jumps.length === 0 ? 'Directly; or pass through…' : 'and through…'}
            leftSection={<IconPlus size={14} />}
            w={240}
            value={null}
            data={free}
            onChange={(name) => name && onChange([...jumps, name])}
          />
        ) : (
          jumps.length === 0 && (
            <span className="kp-dim">directly; other hosts that are added can be passed through</span>
          )
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
