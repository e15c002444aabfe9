import { Button, NumberInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { type Cell, secondsOfTrial } from '../../../shared/model/plan.ts';
import { ENDED_SESSION, type SessionDetail } from '../../../shared/model/session.ts';
import { formatCount, formatDuration, formatLevels } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import {
  BlockSkeleton,
  type Column,
  DataTable,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  useCrumbs,
} from '../../ui/index.ts';
import './repeats.css';

const USUAL = 3;
const MOST = 1000;

/** More repeats of the cells of a session. The address has the initial number and cells: `add=6&cells=0,2`. */
export function RepeatsView() {
  const id = Number(useParams<'/sessions/:id/repeats'>().id);
  const detail = useCall('sessions.get', { id });
  const name = detail.data?.session.name;
  useCrumbs(name ? [{ label: name, to: `/sessions/${id}/results` }, { label: 'Add repeats' }] : []);
  return (
    <Page>
      <PageHeader title="Add repeats" subtitle={name ?? `Session ${id}`} />
      {detail.error ? (
        <ProblemBanner problem={detail.error.problem} actions={<Link href="/">All sessions</Link>} />
      ) : detail.data ? (
        <RepeatsForm key={id} detail={detail.data} />
      ) : (
        <BlockSkeleton height={360} />
      )}
    </Page>
  );
}

function RepeatsForm({ detail }: { detail: SessionDetail }) {
  const { session, plan } = detail;
  const [, go] = useLocation();
  const [asked] = useSearchParams();
  const [repeats, setRepeats] = useState(() => Math.min(MOST, Math.max(1, Number(asked.get('add')) || USUAL)));
  const [chosen, setChosen] = useState<readonly string[]>(() => cellsOf(asked.get('cells'), plan.cells));
  const start = useAction('sessions.addRepeats', { onSuccess: () => go(`/sessions/${session.id}/live`) });
  const trials = repeats * chosen.length;
  const seconds = (secondsOfTrial(plan) ?? 0) * trials;
  const all = chosen.length === plan.cells.length;
  return (
    <>
      <div className="kp-bar kp-repeats-bar">
        <NumberInput
          label="Repeats of each cell"
          w={170}
          min={1}
          max={MOST}
          allowDecimal={false}
          value={repeats}
          onChange={(value) => {
            if (typeof value === 'number' && value >= 1) setRepeats(Math.floor(value));
          }}
        />
        <Button
          leftSection={<IconPlus size={16} />}
          disabled={chosen.length === 0}
          loading={start.isPending}
          onClick={() => start.mutate({ id: session.id, repeats, ...(!all && { cells: chosen.map(Number) }) })}
        >
          {`Add ${formatCount(repeats, 'repeat')}`}
        </Button>
        <span className="kp-repeats-sum">
          {chosen.length === 0
            ? 'Choose one cell or more.'
            : `${formatCount(trials, 'trial')}, about ${formatDuration(seconds)}.`}
        </span>
      </div>
      {start.error ? <ProblemBanner problem={start.error.problem} /> : null}
      <p className="kp-dim kp-repeats-words">
        Added to this session with the same document and data, interleaved, each with its own seed
        {ENDED_SESSION.includes(session.state) ? '' : ', after the rest of its plan'}. Facts of hosts and target are
        read again; changes since the start become findings.
      </p>
      <Cells detail={detail} chosen={chosen} onChoose={setChosen} />
    </>
  );
}

interface CellsProperties {
  detail: SessionDetail;
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}

function Cells({ detail: { session, plan }, chosen, onChoose }: CellsProperties) {
  const result = useCall('results.session', { sessionId: session.id });
  const complete = new Map(result.data?.cells.map(({ cell, means }) => [cell, means.length]));
  const columns: Column<Cell>[] = [
    { id: 'index', header: 'Cell', align: 'right', value: ({ index }) => index + 1 },
    { id: 'levels', header: 'Levels', grow: true, cell: nameOf },
    {
      id: 'repeats',
      header: 'Complete repeats',
      hint: 'Trials of this cell that were measured to their end',
      align: 'right',
      value: ({ index }) => complete.get(index) ?? 0,
    },
  ];
  return (
    <Panel title="Cells" note={`${chosen.length} of ${plan.cells.length} chosen`} flush>
      <DataTable
        label="Cells"
        columns={columns}
        rows={plan.cells}
        rowId={({ index }) => String(index)}
        rowLabel={nameOf}
        selected={chosen}
        onSelect={onChoose}
        maxHeight="max(240px, calc(100vh - 360px))"
      />
    </Panel>
  );
}

const nameOf = ({ levels }: Cell): string => formatLevels(levels) || 'the only cell';

/** Cells of the address that the session has; all if it names none. */
function cellsOf(text: string | null, cells: readonly Cell[]): string[] {
  const named = new Set((text ?? '').split(','));
  const ids = cells.map(({ index }) => String(index));
  const found = ids.filter((id) => named.has(id));
  return found.length > 0 ? found : ids;
}
