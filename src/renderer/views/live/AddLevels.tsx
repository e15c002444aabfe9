import { Button, Select, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { levelsOf } from '../../../shared/model/factor.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { plainLevel, plainLevels } from '../../../shared/util/format.ts';
import { useAction } from '../../client/index.ts';
import { Panel, ProblemBanner } from '../../ui/index.ts';

/** Adds levels to a factor: their cells are checked, and measured after the rest of the plan. */
export function AddLevels({ detail, onDone }: { detail: SessionDetail; onDone: () => void }) {
  const { factors } = detail.experiment;
  const [factor, setFactor] = useState(factors[0]?.name ?? '');
  const [levels, setLevels] = useState('');
  const [cell, setCell] = useState<string | null>(null);
  const [allowed, setAllowed] = useState('');
  const add = useAction('sessions.addLevels', { onSuccess: onDone });
  const asked = add.error ? phrasesOf(add.error.problem) : [];
  const chosen = factors.find(({ name }) => name === factor);
  const has = chosen ? levelsOf(chosen).map(plainLevel).join(', ') : '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!levels.trim()) return;
    const destroy = asked.filter((phrase) => phrase === allowed.trim());
    add.mutate({
      ...{ id: detail.session.id, factor, levels: levels.trim(), destroy },
      ...(cell !== null && { baseCells: [Number(cell)] }),
    });
  };
  return (
    <Panel title="Add levels" note="measured after the rest of the plan">
      <form className="kp-live-form" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
        <div className="kp-live-levels">
          <Select
            label="Factor"
            data={factors.map(({ name }) => name)}
            value={factor}
            allowDeselect={false}
            onChange={(name) => setFactor(name ?? '')}
          />
          <TextInput
            label="Levels"
            description={`Existing levels: ${has}`}
            inputWrapperOrder={['label', 'input', 'description']}
            placeholder="As in a document: 16, 32..128 doubling"
            maxLength={10_000}
            data-autofocus
            ref={(field) => field?.focus()}
            value={levels}
            onChange={(event) => setLevels(event.currentTarget.value)}
          />
          <Select
            label="Interleave with"
            description="A cell to repeat together with them, for comparison"
            inputWrapperOrder={['label', 'input', 'description']}
            placeholder="no other cell"
            data={detail.plan.cells.map(({ index, levels: own }) => ({
              value: String(index),
              label: plainLevels(own) || 'the only cell',
            }))}
            searchable
            clearable
            limit={50}
            value={cell}
            onChange={setCell}
          />
        </div>
        {add.error ? <ProblemBanner problem={add.error.problem} /> : null}
        {asked.map((phrase) => (
          <TextInput
            key={phrase}
            label={`Type ${phrase} to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={allowed}
            onChange={(event) => setAllowed(event.currentTarget.value)}
          />
        ))}
        <div className="kp-bar">
          <Button type="submit" loading={add.isPending} disabled={!levels.trim()}>
            Check and add
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Texts that the user has to type to confirm checks. */
function phrasesOf({ details }: Problem): string[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((line: unknown) =>
    typeof line === 'object' && line !== null && 'confirm' in line && typeof line.confirm === 'string'
      ? [line.confirm]
      : [],
  );
}
