import { Button, Chip, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import type { Level } from '../../../../../../shared/model/factor.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import type { MatrixContext } from '../kinds.ts';
import { readLevels } from '../levels.ts';
import { factorOf, type Proposal, proposedField } from '../newFactor.ts';
import classes from './factor.module.css';

interface Properties {
  context: MatrixContext;
  proposal: Proposal;
  onAdd(factor: Factor): void;
  onCancel(): void;
}

/** Asks for the levels of a new factor: it is added to the document once it has some. */
export function NewFactor(properties: Properties) {
  const { proposal, onCancel } = properties;
  const title = proposal.priced ? proposal.title : proposal.factor.name;
  return (
    <section className={classes.newFactor} aria-label={`New factor ${proposal.factor.name}`}>
      <h3>
        Vary {title} <span className="kp-small">{proposal.words}</span>
      </h3>
      {proposal.priced ? <PricedLevels {...properties} /> : <PlainLevels {...properties} onCancel={onCancel} />}
    </section>
  );
}

function PlainLevels({ context, proposal, onAdd, onCancel }: Properties) {
  const { suggestions, now, belongsTo, factor } = proposal;
  const [chosen, setChosen] = useState<readonly Scalar[]>([]);
  const [text, setText] = useState('');
  const [of, setOf] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = proposedField(proposal, context);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const has = (level: Scalar): boolean => chosen.some((each) => String(each) === String(level));
  const shown = [
    ...suggestions,
    ...chosen.filter((level) => !suggestions.some((each) => String(each) === String(level))),
  ];
  const toggle = (level: Scalar): void =>
    setChosen(has(level) ? chosen.filter((each) => String(each) !== String(level)) : [...chosen, level]);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const read = readLevels(field, text, chosen);
    setProblem(read.problem);
    const levels = inOrder([...chosen, ...read.levels], suggestions);
    if (read.problem !== undefined) {
      setChosen(levels);
      setText(read.rest);
    } else if (levels.length > 0 && (belongsTo === undefined || of.trim() !== ''))
      onAdd(factorOf(proposal, levels, context, of.trim()));
  };
  const ready = (chosen.length > 0 || text.trim() !== '') && (belongsTo === undefined || of.trim() !== '');
  return (
    <form onSubmit={add} className={classes.newLevels}>
      {belongsTo !== undefined && (
        <TextInput
          w={300}
          label="Of"
          placeholder={belongsTo}
          value={of}
          spellCheck={false}
          onChange={(event) => setOf(event.currentTarget.value)}
        />
      )}
      {shown.length > 0 && (
        <Group gap={6} role="group" aria-label={`Suggested levels of ${factor.name}`}>
          {shown.map((level) => (
            <Chip key={String(level)} size="xs" radius="sm" checked={has(level)} onChange={() => toggle(level)}>
              {plainLevel(level)}
              {now !== undefined && String(now) === String(level) ? ' (now)' : ''}
            </Chip>
          ))}
        </Group>
      )}
      <div className={classes.newLine}>
        <TextInput
          w={300}
          ref={first}
          aria-label={`Levels of ${factor.name}`}
          placeholder={field?.shape.kind === 'number' ? 'Levels: 8, 16, or 1..64 doubling' : 'Another level'}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" disabled={!ready}>
          Add factor
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Levels in the order of the suggestions; numbers ascending. */
function inOrder(levels: readonly Scalar[], suggestions: readonly Scalar[]): Scalar[] {
  if (levels.every((level) => typeof level === 'number')) return [...levels].sort((a, b) => Number(a) - Number(b));
  const placeOf = (level: Scalar): number => {
    const place = suggestions.findIndex((each) => String(each) === String(level));
    return place < 0 ? suggestions.length : place;
  };
  return [...levels].sort((a, b) => placeOf(a) - placeOf(b));
}

interface Row {
  readonly name: string;
  readonly amount: string;
}
const EMPTY: Row = { name: '', amount: '' };

/** Names and amounts, a row each; currency and period can be changed in the factor. */
function PricedLevels({ proposal, context, onAdd, onCancel }: Properties) {
  const [rows, setRows] = useState<readonly Row[]>([EMPTY, EMPTY]);
  const filled = rows.filter(({ name, amount }) => name.trim() !== '' || amount.trim() !== '');
  const levels = filled.map(
    ({ name, amount }): Level => ({
      name: name.trim(),
      price: { amount: Number(amount), per: 'month', currency: 'USD' },
    }),
  );
  const names = new Set(filled.map(({ name }) => name.trim()));
  const isAmount = ({ amount }: Row): boolean => amount.trim() !== '' && Number(amount) >= 0;
  const ready = filled.length > 0 && filled.every(isAmount) && !names.has('') && names.size === filled.length;
  const set = (place: number, change: Partial<Row>): void =>
    setRows(rows.map((row, at) => (at === place ? { ...row, ...change } : row)));
  return (
    <form
      className={classes.newLevels}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onAdd(factorOf(proposal, levels, context));
      }}
    >
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name before one is typed
        <div className={classes.newLine} key={place}>
          <TextInput
            w={200}
            aria-label={`Name of level ${place + 1}`}
            placeholder="Instance, volume, size"
            value={row.name}
            onChange={(event) => set(place, { name: event.currentTarget.value })}
          />
          <TextInput
            w={200}
            inputMode="decimal"
            aria-label={`Price of level ${place + 1}`}
            placeholder="Price"
            rightSection={<span className="kp-small">USD/month</span>}
            rightSectionWidth={84}
            value={row.amount}
            onChange={(event) => set(place, { amount: event.currentTarget.value })}
          />
        </div>
      ))}
      <div className={classes.newLine}>
        <Button variant="default" onClick={() => setRows([...rows, EMPTY])}>
          Another level
        </Button>
        <Button type="submit" disabled={!ready}>
          Add factor
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
