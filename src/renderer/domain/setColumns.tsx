import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { DATA_STATE_WORDS, type DataSet } from '../../shared/model/data-set.ts';
import { formatDateTime } from '../../shared/util/format.ts';
import { type Column, ConfirmButton, Status } from '../ui/index.ts';

/** Its name, above its contents. */
export const titleColumn = <S extends DataSet>(
  header: string,
  parts: (set: S) => string,
  hint: (set: S) => string,
): Column<S> => ({
  id: 'title',
  header,
  grow: true,
  value: ({ title }) => title,
  cell: (set) => (
    <div title={hint(set)}>
      {set.title}
      <div className="kp-small kp-dim">{parts(set)}</div>
    </div>
  ),
});

export const stateColumn = <S extends DataSet>(): Column<S> => ({
  id: 'state',
  header: 'State',
  value: ({ state }) => DATA_STATE_WORDS[state].word,
  cell: ({ state, writtenAt }) => (
    <Status
      tone={DATA_STATE_WORDS[state].tone}
      {...(writtenAt !== undefined && { title: `Last written to ${formatDateTime(writtenAt)}` })}
    >
      {DATA_STATE_WORDS[state].word}
    </Status>
  ),
});

export const madeColumn = <S extends DataSet>(): Column<S> => ({
  id: 'made',
  header: 'Prepared',
  value: ({ madeAt }) => madeAt,
  cell: ({ madeAt, madeBy, state }) => (
    <div>
      {madeAt === undefined ? 'not by Kneepoint' : formatDateTime(madeAt)}
      {madeBy !== undefined && (
        <div className="kp-small">
          <Link href={`/sessions/${madeBy}/${state === 'making' ? 'live' : 'results'}`}>session {madeBy}</Link>
        </div>
      )}
    </div>
  ),
});

type Reference = Pick<DataSet, 'kind' | 'id'>;

/** A call for one of the sets at a time. */
interface SetCall {
  isPending: boolean;
  variables: Reference | undefined;
  mutate(of: Reference): void;
  reset(): void;
}

interface Actions<S> {
  /** "tables sbtest1 to sbtest4" */
  words(set: S): string;
  /** Verb for the check: "Count". */
  verb: string;
  look: SetCall;
  /** "Drop 4 tables" */
  removal(set: S): string;
  question(set: S): string;
  remove: SetCall;
}

/** Buttons to check a set and to have it removed; the result of the last call is cleared by the next press. */
export function actionsColumn<S extends DataSet>(actions: Actions<S>): Column<S> {
  const { words, verb, look, removal, question, remove } = actions;
  const begin = (call: SetCall, { kind, id }: S): void => {
    look.reset();
    remove.reset();
    call.mutate({ kind, id });
  };
  const at = ({ isPending, variables }: SetCall, { id }: S): boolean => isPending && variables?.id === id;
  return {
    id: 'actions',
    header: '',
    cell: (set) => (
      <Group gap={8} wrap="nowrap" justify="flex-end">
        <Button
          variant="default"
          aria-label={`${verb} ${words(set)} again`}
          disabled={look.isPending || remove.isPending}
          loading={at(look, set)}
          onClick={() => begin(look, set)}
        >
          {verb} again
        </Button>
        <ConfirmButton
          label="Remove"
          name={`Remove ${words(set)}`}
          act={removal(set)}
          question={question(set)}
          busy={at(remove, set)}
          onConfirm={() => begin(remove, set)}
        />
      </Group>
    ),
  };
}
