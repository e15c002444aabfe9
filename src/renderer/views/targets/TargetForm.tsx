import { Button } from '@mantine/core';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { secretWords } from '../../../shared/model/app.ts';
import { copyName, LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import type { Target, TargetKindInfo, TargetTest } from '../../../shared/model/target.ts';
import { ask, useAction, useCall, useLink } from '../../client/index.ts';
import { FolderPicker } from '../../domain/FolderPicker.tsx';
import { GiveUpProblem, VaultUnlock } from '../../domain/problems.tsx';
import {
  type Field,
  type FormValues,
  OptionForm,
  problemsOf,
  readFields,
  type SecretChange,
  SecretField,
  useTries,
} from '../../forms/index.ts';
import { FormFooter, Panel, ProblemBanner } from '../../ui/index.ts';
import { draftOf, nameProblem, proposedName, seemsLocal, sendsReadable, specOf, type TargetDraft } from './draft.ts';
import { Identity } from './Identity.tsx';
import { hostIn, type PlaceChoices, placeFields } from './place/fields.ts';
import { ServerPanel } from './place/ServerPanel.tsx';
import { placeProblems } from './place/values.ts';
import { TestResult } from './TestResult.tsx';
import classes from './targets.module.css';

interface Properties {
  target: Target | undefined;
  /** A new one begins as a copy of this, without its password. */
  like?: Target | undefined;
  testsOnOpen?: boolean;
  /** Initial name of a new one. */
  name?: string;
  kinds: readonly TargetKindInfo[];
  targets: readonly Target[];
  /** Names of all hosts, including this computer. */
  hosts: readonly string[];
  /** Called with the saved target, or without one if the form was cancelled. */
  onDone(saved?: Target): void;
}

/** Values of a form, with the defaults of fields that are not set. */
const withDefaults = (fields: readonly Field[], config: FormValues): FormValues => ({
  ...Object.fromEntries(fields.flatMap(({ name, default: preset }) => (preset === undefined ? [] : [[name, preset]]))),
  ...config,
});

/** Replaces a missing or invalid name. */
const UNNAMED = 'this target';

const isFree = (problems: Readonly<Record<string, string>>): boolean => Object.keys(problems).length === 0;

/** Values of the form, and its actions. */
function useTargetForm({ target, like, testsOnOpen = false, name, targets, kinds, hosts, onDone }: Properties) {
  const [draft, setDraft] = useState<TargetDraft>(() =>
    like ? { ...draftOf(like, kinds), name: copyName(like.spec.name) } : draftOf(target, kinds, name),
  );
  const [secret, setSecret] = useState<SecretChange>();
  const { form, tried, attempt } = useTries();
  const [needsName, setNeedsName] = useState(false);
  const kind = kinds.find((entry) => entry.kind === draft.kind);
  const fields = useMemo(() => readFields(kind?.schema ?? {}), [kind]);
  const isLocal = useIsLocal(draft, fields);
  const isNew = !target && !like;
  const place: PlaceChoices | undefined =
    kind?.via === 'connection'
      ? {
          ...{ kind, hosts, targets, name: draft.name.trim() },
          ...(isNew && isLocal && hosts.includes(LOCAL_HOST_NAME) && { presetHost: LOCAL_HOST_NAME }),
        }
      : undefined;
  const placeFits =
    !place ||
    (isFree(problemsOf(placeFields(place, draft.server), draft.server)) && isFree(placeProblems(draft.server)));
  const whole: TargetDraft = place
    ? { ...draft, server: { ...draft.server, host: hostIn(place, draft.server) } }
    : draft;
  const wrongName = nameProblem(draft.name);
  const connects = isFree(problemsOf(fields, draft.config));
  const fits = wrongName === undefined && connects && placeFits;
  const withSecret = secret === undefined || !kind?.takesSecret ? {} : { secret };
  const withId = target ? { id: target.id } : {};
  const save = useAction('targets.save', { onSuccess: (saved) => onDone(saved) });
  // A server is tested by its connection: its name can be set later.
  const propose = (result: TargetTest): void => {
    if (target || result.result !== 'ok') return;
    setDraft((now) => {
      const name = proposedName(
        result.description,
        withDefaults(fields, now.config),
        targets.map(({ spec }) => spec.name),
      );
      return { ...now, ...(now.name.trim() === '' && name !== undefined && { name }) };
    });
  };
  const test = useTargetTest(propose, () => ({
    ...withId,
    spec: specOf(
      { ...whole, name: wrongName === undefined ? draft.name : UNNAMED, ...(placeFits ? {} : { server: {} }) },
      kinds,
    ),
    ...withSecret,
  }));
  const begun = useRef(false);
  useEffect(() => {
    if (!testsOnOpen || begun.current || kind?.connects !== true) return;
    begun.current = true;
    test.run();
  });
  const set = (change: Partial<TargetDraft>): void => setDraft({ ...draft, ...change });
  const store = (giveUp?: string): void => {
    setNeedsName(true);
    attempt();
    const given = giveUp === undefined ? {} : { giveUp };
    if (fits) save.mutate({ ...withId, spec: specOf(whole, kinds), ...withSecret, ...given });
  };
  const tryOut = (): void => {
    if (connects) test.run();
    else attempt();
  };
  return {
    draft,
    set,
    secret,
    setSecret,
    kind,
    fields,
    place,
    isLocal,
    wrongName: needsName ? wrongName : undefined,
    form,
    tried,
    save,
    store,
    test,
    tryOut,
  };
}

/** Whether the address of a server is one of this computer. */
function useIsLocal({ via, config }: TargetDraft, fields: readonly Field[]): boolean {
  const set = { via, config: withDefaults(fields, config) };
  const isCertain = seemsLocal(set, []);
  const asks = !isCertain && via === null && String(set.config.address ?? '').trim() !== '';
  const here = useCall('hosts.list', {}, { enabled: asks }).data?.find(({ spec }) => spec.kind === 'local');
  const { facts } = useCall('hosts.facts', { id: here?.id ?? 0 }, { enabled: asks && here !== undefined }).data ?? {};
  return isCertain || seemsLocal(set, facts?.networks.flatMap(({ addresses }) => addresses) ?? []);
}

export function TargetForm(properties: Properties) {
  const { target, kinds, hosts, onDone } = properties;
  const form = useTargetForm(properties);
  const { draft, set, secret, setSecret, kind, fields, place, isLocal, wrongName, tried, save, store, test, tryOut } =
    form;
  const ways = hosts.filter((name) => name !== LOCAL_HOST_NAME);
  const problem = save.error?.problem;
  const formId = useId();
  return (
    <div className="kp-fills">
      <div className={classes.columns}>
        <form
          ref={form.form}
          id={formId}
          className={classes.form}
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            store();
          }}
        >
          <Identity
            draft={draft}
            kinds={target ? [] : kinds}
            nameExample={kind?.nameExample}
            hosts={kind === undefined || kind.via === 'none' ? undefined : ways}
            isPlace={kind?.via === 'place'}
            problem={wrongName}
            onChange={set}
          />
          <Connection kind={kind} fields={fields} draft={draft} tried={tried} onChange={set}>
            <Password stored={target?.hasSecret === true} value={secret} onChange={setSecret} />
          </Connection>
          {place && (
            <ServerPanel
              choices={place}
              values={draft.server}
              tried={tried}
              isLocal={test.result?.result === 'ok' && isLocal}
              onChange={(server) => set({ server })}
            />
          )}
        </form>
        <TestResult
          result={test.result}
          outdated={test.outdated}
          busy={test.busy}
          testable={kind?.connects === true}
          onTest={tryOut}
          onRetry={test.run}
        >
          {(secret === undefined ? target?.hasSecret === true : secret !== null) && sendsReadable(draft, kind) && (
            <ReadablePassword
              onSet={(change) => set({ config: { ...draft.config, ...change } })}
              mayRequire={test.result?.result === 'ok' && test.result.description.encrypted === true}
            />
          )}
        </TestResult>
      </div>
      <FormFooter
        problem={
          problem?.code === 'vault-locked' ? (
            <VaultUnlock problem={problem} onUnlocked={() => store()} />
          ) : (
            problem && <GiveUpProblem problem={problem} act="Save" busy={save.isPending} onGiveUp={store} />
          )
        }
      >
        <Button type="submit" form={formId} loading={save.isPending}>
          Save
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onDone()}>
          Cancel
        </Button>
      </FormFooter>
    </div>
  );
}

/** The reason for which a start would be refused, with its remedies. */
const ReadablePassword = ({
  mayRequire,
  onSet,
}: {
  mayRequire: boolean;
  onSet(change: TargetDraft['config']): void;
}) => (
  <ProblemBanner
    tone="warn"
    problem={{
      message: mayRequire
        ? 'This connection is encrypted, but TLS is not required: tools could send the password in cleartext.'
        : 'TLS is not guaranteed: tools could send the password in cleartext.',
      next: 'Kneepoint does not start such tools, except on the server host.',
    }}
    actions={
      <>
        <Button size="xs" variant="default" onClick={() => onSet({ tls: 'required' })}>
          Require TLS
        </Button>
        <Button size="xs" variant="default" onClick={() => onSet({ allowCleartextPassword: true })}>
          Allow cleartext password
        </Button>
      </>
    }
  />
);

interface ConnectionProperties {
  kind: TargetKindInfo | undefined;
  fields: readonly Field[];
  draft: TargetDraft;
  tried: boolean;
  onChange(change: Partial<TargetDraft>): void;
  /** The password field, for kinds that take one. */
  children: ReactNode;
}

const Connection = ({ kind, fields, draft, tried, onChange, children }: ConnectionProperties) => (
  <Panel title="Connection" note={kind?.takesSecret ? 'Address as seen by the load generator' : undefined}>
    <OptionForm
      key={draft.kind}
      fields={fields}
      values={draft.config}
      showMissing={tried}
      controlWidth={190}
      behind={{
        user: kind?.takesSecret ? children : null,
        ...Object.fromEntries(
          fields
            .filter(({ folder }) => folder)
            .map(({ name }) => [name, <Folders key={name} {...{ name, draft, onChange }} />]),
        ),
      }}
      onChange={(config) => onChange({ config })}
    />
  </Panel>
);

/** Selects a folder of the target's host. */
const Folders = ({ name, draft, onChange }: { name: string } & Pick<ConnectionProperties, 'draft' | 'onChange'>) => (
  <FolderPicker
    host={draft.via ?? LOCAL_HOST_NAME}
    value={String(draft.config[name] ?? '')}
    onChoose={(path) => onChange({ config: { ...draft.config, [name]: path } })}
  />
);

type PasswordProperties = Pick<ComponentProps<typeof SecretField>, 'stored' | 'value' | 'onChange'>;

function Password(properties: PasswordProperties) {
  const secrets = useCall('app.secrets', {});
  return (
    <SecretField
      asRow
      label="Password"
      description="Passed to tools in a file readable only by their user, never on a command line."
      words={secretWords(secrets.data)}
      {...properties}
    />
  );
}

type Input = Parameters<typeof ask<'targets.testSpec'>>[2];

/** Inputs of a test: connection and login of the server, but neither its name nor its host. */
const asked = ({ spec: { kind, via, config }, secret }: Input): string => JSON.stringify([kind, via, config, secret]);

/** One test at a time of the target as typed, saved or not. Its result is kept; `outdated`: the form has other inputs by now. */
function useTargetTest(onTested: (result: TargetTest) => void, input: () => Input) {
  const link = useLink();
  const [busy, setBusy] = useState(false);
  const [tested, setTested] = useState<{ of: string; result: TargetTest }>();
  const run = async (): Promise<void> => {
    const now = input();
    const keep = (result: TargetTest): void => {
      setTested({ of: asked(now), result });
      onTested(result);
    };
    setBusy(true);
    setTested(undefined);
    try {
      keep(await ask(link, 'targets.testSpec', now));
    } catch (error) {
      keep({ result: 'failed', problem: problemOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const outdated = tested !== undefined && tested.of !== asked(input());
  return { busy, result: tested?.result, outdated, run: () => void run() };
}
