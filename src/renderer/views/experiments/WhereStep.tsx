import { Button } from '@mantine/core';
import { IconDatabase, IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useCall, useHostLinks } from '../../client/index.ts';
import { EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import { FurtherGenerators } from './FurtherGenerators.tsx';
import { PickList } from './PickList.tsx';
import { hostAddress, sharesMachine } from './places.ts';
import { addressWords, generatorLines, hostItem, KIND_WORDS, mayRunWithout } from './placeWords.tsx';
import type { StepProperties } from './stepProperties.ts';
import { problemsOfStep } from './steps.ts';
import { Topology } from './Topology.tsx';
import classes from './where.module.css';

/** Which host runs the tool, and what it drives. */
export function WhereStep({ experiment, state, tools, edit }: StepProperties) {
  const hosts = useCall('hosts.list', {});
  const targets = useCall('targets.list', {});
  const links = useHostLinks();
  const tool = tools.find((entry) => entry.id === experiment.workload.tool);
  const [generatorName = '', ...further] = experiment.where.generators;
  const setGenerators = (generators: string[]): void =>
    edit((now) => ({ ...now, where: { ...now.where, generators } }));
  const generator = hosts.data?.find((host) => host.spec.name === generatorName);
  const target = targets.data?.find((entry) => entry.spec.name === experiment.where.target);
  const facts = useCall('hosts.facts', { id: generator?.id ?? 0 }, { enabled: generator !== undefined }).data?.facts;
  const fitting = (targets.data ?? []).filter((entry) => tool?.drives.includes(entry.spec.kind) || entry === target);
  const setTarget = (name: string | undefined): void =>
    edit((now) => ({
      ...now,
      where: { generators: now.where.generators, ...(name !== undefined && { target: name }) },
    }));
  const open = problemsOfStep(state.checked?.problems ?? [], 'where');
  const wanting = experiment.where.target === undefined && open.length > 0;
  const without = !wanting && mayRunWithout(tool?.drives);
  const problem = hosts.error ?? targets.error;
  const presence = facts?.tools.find((entry) => entry.tool === tool?.id);
  return (
    <>
      {problem && <ProblemBanner problem={problem.problem} />}
      <Panel title="Topology" flush>
        <Topology
          generator={{
            name: experiment.where.generators.join(', '),
            known: generator !== undefined || hosts.data === undefined,
            ...(further.length > 0
              ? { address: `${further.length + 1} hosts`, lines: ['share the load, start together'] }
              : { address: hostAddress(generator), lines: generatorLines(facts) }),
          }}
          tool={{ name: tool?.title ?? experiment.workload.tool, missing: presence?.found === false }}
          target={
            target && {
              name: target.spec.name,
              ...addressWords(target),
              kind: KIND_WORDS[target.spec.kind] ?? target.spec.kind,
            }
          }
          missingTarget={
            experiment.where.target !== undefined && target === undefined && targets.data !== undefined
              ? experiment.where.target
              : undefined
          }
          wanting={wanting}
          shared={sharesMachine(generator, target)}
        />
      </Panel>
      {open.map((entry) => (
        <ProblemBanner key={entry.message} tone="warn" problem={{ message: entry.message }} />
      ))}
      {presence?.found === false && (
        <ProblemBanner
          tone="warn"
          problem={{
            message: `${tool?.title ?? presence.tool} was not found on ${generatorName} when it was last looked at.`,
            next: presence.message,
          }}
        />
      )}
      <div className={classes.places}>
        <Panel
          title="Generator"
          note="The host that runs the tool"
          flush
          actions={<AddLink to="/hosts/new" words="Add a host" />}
        >
          {hosts.data ? (
            <>
              <PickList
                label="Generator"
                items={hosts.data.map((host) => hostItem(host, links))}
                chosen={generatorName}
                onChoose={(name) => setGenerators([name, ...further.filter((other) => other !== name)])}
              />
              {further.length > 0 || (tool?.divides && hosts.data.length > 1) ? (
                <FurtherGenerators
                  hosts={hosts.data.map(({ spec }) => spec.name).filter((name) => name !== generatorName)}
                  chosen={further}
                  onChoose={(names) => setGenerators([generatorName, ...names])}
                />
              ) : null}
            </>
          ) : (
            <TableSkeleton rows={3} />
          )}
        </Panel>
        <Panel
          title="Target"
          note="What it measures"
          flush
          actions={<AddLink to="/targets/new" words="Add a target" />}
        >
          {!targets.data ? (
            <TableSkeleton rows={3} />
          ) : fitting.length === 0 && !without ? (
            <EmptyState icon={<IconDatabase size={24} stroke={1.4} />} title="No target fits this workload">
              {tool?.title} drives {tool?.drives.map((kind) => KIND_WORDS[kind] ?? kind).join(', ')}.
            </EmptyState>
          ) : (
            <PickList
              label="Target"
              items={[
                ...(without
                  ? [
                      {
                        name: '',
                        title: 'None',
                        words: 'The tool brings its own database, or measures the generator itself.',
                      },
                    ]
                  : []),
                ...fitting.map((entry) => ({
                  name: entry.spec.name,
                  title: entry.spec.name,
                  words: [KIND_WORDS[entry.spec.kind], addressWords(entry).address].filter(Boolean).join(' · '),
                })),
              ]}
              chosen={experiment.where.target ?? ''}
              onChoose={(name) => setTarget(name === '' ? undefined : name)}
            />
          )}
        </Panel>
      </div>
    </>
  );
}

const AddLink = ({ to, words }: { to: string; words: string }) => (
  <Button
    component={Link}
    href={to}
    size="compact-sm"
    variant="subtle"
    color="gray"
    leftSection={<IconPlus size={14} />}
  >
    {words}
  </Button>
);
