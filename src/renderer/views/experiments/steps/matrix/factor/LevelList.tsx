import { CloseButton, Popover } from '@mantine/core';
import { type KeyboardEvent, memo, useState } from 'react';
import { sameLevel } from '../../../../../../shared/model/cells.ts';
import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type Level, levelName, levelsOf } from '../../../../../../shared/model/factor.ts';
import { largerUnits } from '../../../../../../shared/util/duration.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import type { Field } from '../../../../../forms/index.ts';
import { moved } from '../factors.ts';
import classes from './factor.module.css';
import { LevelEditor } from './LevelEditor.tsx';

interface Properties {
  factor: Factor;
  field: Field | undefined;
  /** Indices of levels with a problem. */
  wrong: readonly number[];
  /** The base level, if one factor is varied at a time. */
  base: Scalar | undefined;
  onChange(levels: Level[]): void;
  onLevel(place: number, level: Level): void;
  onBase(level: Scalar): void;
  /** Absent: the factor no longer has a baseline. */
  onBaseline(level: Scalar | undefined): void;
  /** Shows the sets of the levels; absent: levels are plain values. */
  onOpen: (() => void) | undefined;
}

/** Levels in a vertical list. A click opens one; Alt and an arrow key move it; a factor keeps at least one. */
export function LevelList({ factor, field, wrong, base, onChange, onLevel, onBase, onBaseline, onOpen }: Properties) {
  const [opened, setOpened] = useState<number>();
  const { levels } = factor;
  const move = (place: number, by: -1 | 1): void => {
    if (place + by < 0 || place + by >= levels.length) return;
    onChange(moved(levels, place, by));
    setOpened(opened === undefined ? undefined : place + by);
  };
  const remove = (place: number): void => {
    setOpened(undefined);
    if (levels.length > 1) onChange(levels.filter((_, at) => at !== place));
  };
  return (
    <ol className={classes.levels} aria-label={`Levels of ${factor.name}`}>
      {levels.map((level, place) => {
        const name = levelName(level);
        const isBaseline = factor.baseline !== undefined && sameLevel(factor.baseline, name);
        const row = (
          <LevelRow
            level={level}
            field={field}
            wrong={wrong.includes(place)}
            base={base !== undefined && sameLevel(base, name)}
            baseline={isBaseline}
            onOpen={() => setOpened(place)}
            onMove={(by) => move(place, by)}
            onRemove={levels.length > 1 ? () => remove(place) : undefined}
          />
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two levels may have the same name until that is corrected.
          <li key={place}>
            {opened === place ? (
              <Popover
                withRoles={false}
                opened
                onChange={() => setOpened(undefined)}
                position="bottom-start"
                shadow="md"
                width={260}
                trapFocus
                returnFocus
              >
                <Popover.Target>{<div>{row}</div>}</Popover.Target>
                <Popover.Dropdown aria-label={`Level ${plainLevel(name)} of ${factor.name}`}>
                  <LevelEditor
                    level={level}
                    field={field}
                    taken={levelsOf(factor).filter((_, at) => at !== place)}
                    base={base === undefined ? undefined : sameLevel(base, name)}
                    baseline={levels.length > 1 ? isBaseline : undefined}
                    first={place === 0}
                    last={place === levels.length - 1}
                    onLevel={(next) => onLevel(place, next)}
                    onBase={() => onBase(name)}
                    onBaseline={(is) => onBaseline(is ? name : undefined)}
                    onMove={(by) => move(place, by)}
                    onSets={
                      onOpen && typeof level === 'object'
                        ? () => {
                            setOpened(undefined);
                            onOpen();
                          }
                        : undefined
                    }
                    onClose={() => setOpened(undefined)}
                  />
                </Popover.Dropdown>
              </Popover>
            ) : (
              row
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** A long time in larger units too: 300 (5 min). */
function timeWords(field: Field | undefined, level: Scalar): string {
  const unit = field?.shape.kind === 'number' ? field.shape.duration : undefined;
  const words = unit && typeof level === 'number' ? largerUnits(level, unit) : undefined;
  return words === undefined ? '' : ` (${words})`;
}

interface RowProperties {
  level: Level;
  field: Field | undefined;
  wrong: boolean;
  base: boolean;
  baseline: boolean;
  onOpen(): void;
  onMove(by: -1 | 1): void;
  onRemove: (() => void) | undefined;
}

const MOST_LINES = 4;
const inOneLine = ({ name, value }: PartWords): string => (value === undefined ? name : `${name} = ${value}`);

const LevelRow = memo(function LevelRow({
  level,
  field,
  wrong,
  base,
  baseline,
  onOpen,
  onMove,
  onRemove,
}: RowProperties) {
  const name = levelName(level);
  const words = plainLevel(name) || '(empty)';
  const parts = typeof level === 'object' ? partsInWords(level) : [];
  const key = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <div className={classes.level} data-wrong={wrong || undefined} data-base={base || undefined}>
      <button
        type="button"
        {...(parts.length > 0 && { title: parts.map(inOneLine).join('\n') })}
        onClick={onOpen}
        onKeyDown={key}
      >
        <span className={classes.levelName} data-named={parts.length > 0 || undefined}>
          <span className="kp-visually-hidden">Level </span>
          {words}
          {timeWords(field, name)}
          {base && <i>base</i>}
        </span>
        {baseline && <span className={classes.levelPart}>baseline</span>}
        {parts.slice(0, parts.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES).map((part) => (
          <span key={part.name} className={classes.levelPart}>
            <span>{part.name}</span>
            {part.value !== undefined && <b>= {part.value}</b>}
          </span>
        ))}
        {parts.length > MOST_LINES && (
          <span className={classes.levelPart}>and {parts.length - MOST_LINES + 1} more</span>
        )}
      </button>
      {onRemove && <CloseButton size={22} iconSize={12} aria-label={`Remove level ${words}`} onClick={onRemove} />}
    </div>
  );
});

type Named = Extract<Level, object>;

/** A line for a setting of a level: a name that may be cut, and a value that is not. */
interface PartWords {
  readonly name: string;
  readonly value?: string;
}

/** Settings of a named level, a line each: “sync_binlog = 0”. */
const partsInWords = ({ name: _, ...parts }: Named): PartWords[] =>
  Object.entries(parts).flatMap(([part, value]) => linesOf(part, value));

function linesOf(part: string, value: unknown): PartWords[] {
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string')
      ? value.map((each) => ({ name: firstLine(each) }))
      : [{ name: part }];
  if (typeof value !== 'object' || value === null) return [{ name: `${part}: ${firstLine(String(value))}` }];
  if (part === 'price') return [{ name: priceWords(value as Readonly<Record<string, unknown>>) }];
  return Object.entries(value).map(([name, set]) => ({ name, value: set === null ? 'as found' : String(set) }));
}

function priceWords({
  amount,
  per = 'month',
  currency = 'USD',
  components,
}: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(components)) return `${components.length} components`;
  return `${String(amount)} ${String(currency)} per ${String(per)}`;
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
