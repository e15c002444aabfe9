import { Button } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Target, TargetKindInfo } from '../../../shared/model/target.ts';
import { useAction } from '../../client/index.ts';
import { OptionForm, problemsOf, readFields, type SecretChange, SecretField } from '../../forms/index.ts';
import { VaultUnlock } from '../../parts/VaultUnlock.tsx';
import { Panel, ProblemBanner } from '../../ui/index.ts';
import { draftOf, nameProblem, specOf, type TargetDraft } from './draft.ts';
import { Identity } from './Identity.tsx';
import { TestResult } from './TestResult.tsx';
import classes from './targets.module.css';
import { useTargetTest } from './useTargetTest.ts';

interface Properties {
  target: Target | undefined;
  kinds: readonly TargetKindInfo[];
  /** Names of the hosts through which the app can reach it. */
  hosts: readonly string[];
}

export function TargetForm({ target, kinds, hosts }: Properties) {
  const [draft, setDraft] = useState<TargetDraft>(() => draftOf(target, kinds[0]?.kind ?? 'mysql'));
  const [secret, setSecret] = useState<SecretChange>();
  const [tried, setTried] = useState(false);
  const kind = kinds.find((entry) => entry.kind === draft.kind);
  const fields = useMemo(() => readFields(kind?.schema ?? {}), [kind]);
  const wrongName = nameProblem(draft.name);
  const fits = wrongName === undefined && Object.keys(problemsOf(fields, draft.config)).length === 0;
  const withSecret = secret === undefined || !kind?.takesSecret ? {} : { secret };
  const withId = target ? { id: target.id } : {};
  const [, go] = useLocation();
  const save = useAction('targets.save', { onSuccess: () => go('/targets') });
  const test = useTargetTest(() => ({ ...withId, spec: specOf(draft), ...withSecret }));
  const set = (change: Partial<TargetDraft>): void => {
    setDraft({ ...draft, ...change });
    test.clear();
  };
  const attempt = (act: () => void): void => {
    setTried(true);
    if (fits) act();
  };
  const store = (): void => attempt(() => save.mutate({ ...withId, spec: specOf(draft), ...withSecret }));
  const problem = save.error?.problem;
  const password = (
    <div className={classes.secret}>
      <SecretField
        label="Password"
        description="Handed to tools in a file that only their user can read, never on a command line."
        kept={target?.hasSecret === true}
        value={secret}
        onChange={(next) => {
          setSecret(next);
          test.clear();
        }}
      />
    </div>
  );
  return (
    <div className={classes.columns}>
      <form
        className={classes.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          store();
        }}
      >
        <Identity
          draft={draft}
          kinds={target ? [] : kinds}
          hosts={kind === undefined || kind.via === 'none' ? undefined : hosts}
          isPlace={kind?.via === 'place'}
          problem={tried ? wrongName : undefined}
          onChange={set}
        />
        <Panel
          title="Connection"
          note={
            kind?.takesSecret
              ? 'As the load generator will use it; the app connects likewise through the host above'
              : undefined
          }
        >
          <OptionForm
            key={draft.kind}
            fields={fields}
            values={draft.config}
            showMissing={tried}
            controlWidth={190}
            wholeWords
            behind={{ user: kind?.takesSecret ? password : null }}
            onChange={(config) => set({ config })}
          />
        </Panel>
        {problem?.code === 'vault-locked' ? (
          <VaultUnlock problem={problem} onUnlocked={store} />
        ) : (
          problem && <ProblemBanner problem={problem} />
        )}
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="subtle" color="gray" onClick={() => go('/targets')}>
            Cancel
          </Button>
        </div>
      </form>
      <TestResult
        result={test.result}
        busy={test.busy}
        testable={kind?.connects === true}
        onTest={() => attempt(test.run)}
        onAgain={test.run}
      />
    </div>
  );
}
