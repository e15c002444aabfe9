import { Button, MultiSelect, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { LOCAL_HOST_NAME } from '../../../../../../shared/model/host.ts';
import { Monitors } from '../../../../../../shared/model/monitors.ts';
import { useCall } from '../../../../../client/index.ts';
import { HelpMark } from '../../../../../forms/index.ts';
import { Fold, Panel } from '../../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../../document/steps.ts';
import classes from './monitors.module.css';
import { isWatched, newCommand, newStatement, replaced, SWITCHES, type Switched, withMonitors } from './monitors.ts';
import { OwnCommand, OwnStatement } from './OwnFigures.tsx';

/** Applies to the document; a switch shows it itself. */
const IN_YAML = ' Default: on.';

/** Watched sources, each with a switch. */
export function MonitorsPanel({ experiment, state, edit }: Pick<StepProperties, 'experiment' | 'state' | 'edit'>) {
  const { monitors } = experiment;
  const hosts = useCall('hosts.list', {}).data ?? [];
  const names = [...new Set([LOCAL_HOST_NAME, ...hosts.map(({ spec }) => spec.name), ...(monitors?.hosts ?? [])])];
  const problems = problemsBelow(state.checked?.problems ?? [], 'monitors');
  const change = (part: Monitors): void => edit((now) => withMonitors(now, part));
  const statements = monitors?.statements ?? [];
  const commands = monitors?.commands ?? [];
  return (
    <>
      <Panel title="Watched every second">
        <div className={classes.switches}>
          {SWITCHES.map((what) => (
            <OneSwitch key={what} what={what} monitors={monitors} change={change} />
          ))}
        </div>
      </Panel>
      <Fold
        title="Before and after each trial"
        note={`${Monitors.shape.sizes.meta()?.title ?? 'Sizes'}: ${isWatched(monitors, 'sizes') ? 'on' : 'off'}`}
      >
        <div className={classes.switches}>
          <OneSwitch what="sizes" monitors={monitors} change={change} />
        </div>
      </Fold>
      <Fold
        title="Additional hosts and custom figures"
        note={alsoWords(monitors)}
        open={Object.keys(problems).length > 0}
      >
        <div className={classes.panel}>
          <MultiSelect
            label="Additional hosts"
            description="Replicas, proxies, storage."
            placeholder={monitors?.hosts?.length ? '' : 'none'}
            searchable
            clearable
            data={names}
            value={monitors?.hosts ?? []}
            error={problems.hosts}
            onChange={(chosen) => change({ hosts: chosen })}
          />
          <div className={classes.list}>
            <h3>Custom statements</h3>
            {statements.map((monitor, index) => (
              <OwnStatement
                // biome-ignore lint/suspicious/noArrayIndexKey: the name is typed, and the index is its only identity
                key={index}
                monitor={monitor}
                problems={problemsOf(problems, `statements.${index}.`)}
                onChange={(next) => change({ statements: replaced(statements, index, next) })}
              />
            ))}
            <div>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() => change({ statements: [...statements, newStatement(statements)] })}
              >
                Add a statement
              </Button>
            </div>
          </div>
          <div className={classes.list}>
            <h3>Custom commands</h3>
            {commands.map((monitor, index) => (
              <OwnCommand
                // biome-ignore lint/suspicious/noArrayIndexKey: the name is typed, and the index is its only identity
                key={index}
                monitor={monitor}
                hosts={names}
                problems={problemsOf(problems, `commands.${index}.`)}
                onChange={(next) => change({ commands: replaced(commands, index, next) })}
              />
            ))}
            <div>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() => change({ commands: [...commands, newCommand(commands)] })}
              >
                Add a command
              </Button>
            </div>
          </div>
        </div>
      </Fold>
    </>
  );
}

interface SwitchProperties {
  what: Switched;
  monitors: Monitors | undefined;
  change(part: Monitors): void;
}

function OneSwitch({ what, monitors, change }: SwitchProperties) {
  const { title = what, description = '' } = Monitors.shape[what].meta() ?? {};
  return (
    <div className={classes.switch}>
      <Switch
        label={title}
        checked={isWatched(monitors, what)}
        onChange={(event) => change({ [what]: event.currentTarget.checked })}
      />
      <HelpMark title={title} description={description.replace(IN_YAML, '')} />
    </div>
  );
}

/** Watched hosts and figures in addition to those of the switches. */
function alsoWords({ hosts = [], statements = [], commands = [] }: Monitors = {}): string {
  const words = [...hosts, ...statements.map(({ name }) => name), ...commands.map(({ name }) => name)];
  return words.length > 0 ? words.join(', ') : 'none';
}

/** Messages of one entry of a list, by its part. */
const problemsOf = (problems: Readonly<Record<string, string>>, before: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith(before) ? [[path.slice(before.length), message]] : [],
    ),
  );
