import { IconDatabase } from '@tabler/icons-react';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import type { Target, TargetKindInfo } from '../../../../../shared/model/target.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { useCall } from '../../../../client/index.ts';
import { EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../../../ui/index.ts';
import { problemsOfStep, type StepProperties } from '../../document/steps.ts';
import { AddPlace, kindsFor } from '../../places/AddPlace.tsx';
import { GeneratorPanel, PickList } from './GeneratorPanel.tsx';
import { addressWords, generatorLines, hostAddress, mayRunWithout, sharesMachine } from './places.tsx';
import { Topology } from './Topology.tsx';
import classes from './where.module.css';

/** The host that runs the tool, and the target it drives. */
export function WhereStep({ experiment, state, tools, edit }: StepProperties) {
  const places = usePlaces({ experiment, state, tools });
  const { hosts, targets, tool, presence } = places;
  const { where } = experiment;
  const setGenerators = (generators: string[]): void =>
    edit((now) => ({ ...now, where: { ...now.where, generators } }));
  const setTarget = (name: string | undefined): void =>
    edit((now) => ({
      ...now,
      where: { generators: now.where.generators, ...(name !== undefined && { target: name }) },
    }));
  return (
    <>
      {places.problem && <ProblemBanner problem={places.problem} />}
      <Panel title="Topology" flush>
        <Drawing experiment={experiment} places={places} />
      </Panel>
      {(places.wanting ? [] : places.open).map((entry) => (
        <ProblemBanner key={entry.message} tone="warn" problem={{ message: entry.message }} />
      ))}
      {presence?.found === false && (
        <ProblemBanner
          tone="warn"
          problem={{
            message: `${tool?.title ?? presence.tool} was not found on ${where.generators[0]} at the last check.`,
            next: presence.message,
          }}
        />
      )}
      <div className={classes.places}>
        <GeneratorPanel
          hosts={hosts}
          generators={where.generators}
          divides={tool?.divides === true}
          onChange={setGenerators}
        />
        <TargetPanel
          targets={targets}
          tool={tool}
          fits={kindsFor(tool, experiment, places.kinds) ?? []}
          chosen={where.target}
          without={places.without}
          kindOf={places.kindOf}
          onChoose={setTarget}
        />
      </div>
    </>
  );
}

function Drawing({ experiment: { workload, where }, places }: { experiment: Experiment; places: Places }) {
  const { hosts, targets, tool, generator, target, facts, presence } = places;
  const kind = places.kindOf(target?.spec.kind);
  const { length } = where.generators;
  const behind = targets?.find(({ spec }) => spec.name === target?.spec.behind);
  return (
    <Topology
      generator={{
        name: where.generators.join(', '),
        known: generator !== undefined || hosts === undefined,
        ...(length > 1
          ? { address: `${length} hosts`, lines: ['share the load, start together'] }
          : { address: hostAddress(generator), lines: generatorLines(facts) }),
      }}
      tool={{ name: tool?.title ?? workload.tool, missing: presence?.found === false }}
      target={target && placeOf(target, kind)}
      behind={behind && placeOf(behind, places.kindOf(behind.spec.kind))}
      missingTarget={target === undefined && targets !== undefined ? where.target : undefined}
      wanting={places.wanting}
      shared={sharesMachine(generator, target, kind)}
    />
  );
}

const placeOf = (target: Target, kind: TargetKindInfo | undefined) => ({
  name: target.spec.name,
  ...addressWords(target, kind),
  kind: kind?.title ?? target.spec.kind,
});

/** Places in the document, as far as known: its tool, first generator and target, and open questions about them. */
function usePlaces({ experiment: { workload, where }, state, tools }: Omit<StepProperties, 'edit'>) {
  const hosts = useCall('hosts.list', {});
  const targets = useCall('targets.list', {});
  const { data: kinds = [] } = useCall('targets.kinds', {});
  const tool = tools.find((entry) => entry.id === workload.tool);
  const generator = hosts.data?.find((host) => host.spec.name === where.generators[0]);
  const target = targets.data?.find((entry) => entry.spec.name === where.target);
  const facts = useCall('hosts.facts', { id: generator?.id ?? 0 }, { enabled: generator !== undefined }).data?.facts;
  const open = problemsOfStep(state.checked?.problems ?? [], 'where');
  const wanting = where.target === undefined && open.length > 0;
  return {
    hosts: hosts.data,
    targets: targets.data,
    problem: (hosts.error ?? targets.error)?.problem,
    tool,
    generator,
    target,
    facts,
    open,
    /** A target is required and none is selected. */
    wanting,
    without: !wanting && mayRunWithout(tool?.drives, kinds),
    kinds,
    kindOf: (name: string | undefined) => kinds.find(({ kind }) => kind === name),
    /** The tool on the generator, at the last check. */
    presence: facts?.tools.find((entry) => entry.tool === tool?.id),
  };
}

type Places = ReturnType<typeof usePlaces>;

interface Properties {
  targets: readonly Target[] | undefined;
  tool: ToolInfo | undefined;
  /** Kinds that the document can use. */
  fits: readonly string[];
  chosen: string | undefined;
  /** Whether no target is also possible. */
  without: boolean;
  kindOf(name: string): TargetKindInfo | undefined;
  onChoose(name: string | undefined): void;
}

const NONE = {
  name: '',
  title: 'None',
  words: 'For workloads that need no target.',
};

/** The targets that the tool drives, including the selected one in any case. */
function TargetPanel({ targets, tool, fits, chosen, without, kindOf, onChoose }: Properties) {
  const fitting = (targets ?? []).filter(({ spec }) => fits.includes(spec.kind) || spec.name === chosen);
  return (
    <Panel
      title="Target"
      note="System under test"
      flush
      actions={<AddPlace place="target" kinds={tool && fits} inHead onAdded={onChoose} />}
    >
      {!targets ? (
        <TableSkeleton rows={3} />
      ) : fitting.length === 0 && !without ? (
        <EmptyState icon={<IconDatabase size={24} stroke={1.4} />} title="No target fits this workload">
          {tool?.title} drives {tool?.drives.map((kind) => kindOf(kind)?.title ?? kind).join(', ')}
          {tool && fits.length < tool.drives.length
            ? `; the settings varied here are those of ${fits.map((kind) => kindOf(kind)?.title ?? kind).join(', ')}`
            : null}
          .
        </EmptyState>
      ) : (
        <PickList
          label="Target"
          items={[...(without ? [NONE] : []), ...fitting.map((target) => itemOf(target, kindOf(target.spec.kind)))]}
          chosen={chosen ?? ''}
          onChoose={(name) => onChoose(name === '' ? undefined : name)}
        />
      )}
    </Panel>
  );
}

const itemOf = (target: Target, kind: TargetKindInfo | undefined) => ({
  name: target.spec.name,
  title: target.spec.name,
  words: [kind?.title ?? target.spec.kind, addressWords(target, kind).address].filter(Boolean).join(' · '),
});
