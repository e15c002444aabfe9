import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { ServerProgram, TargetKind } from '../../../../shared/model/target.ts';
import { useCall } from '../../../client/index.ts';
import { type FormValues, OptionForm } from '../../../forms/index.ts';
import { Panel, ProblemBanner } from '../../../ui/index.ts';
import { CONTROLS, hostIn, isProxy, NOT_KNOWN, type PlaceChoices, placeFields } from './fields.ts';
import classes from './place.module.css';
import { placeProblems } from './values.ts';

interface Properties {
  choices: PlaceChoices;
  values: FormValues;
  tried: boolean;
  /** The address of the target is one of this computer. */
  isLocal: boolean;
  onChange(values: FormValues): void;
}

/** Host of the server, and how it is started and stopped there. */
export function ServerPanel({ choices, values, tried, isLocal, onChange }: Properties) {
  const isManaged = values.control === CONTROLS.managed;
  const host = hostIn(choices, values);
  return (
    <Panel title={isProxy(values) ? 'Proxy' : 'Server host'}>
      <OptionForm
        fields={placeFields(choices, values)}
        values={values}
        problems={placeProblems(values)}
        showMissing={tried}
        controlWidth={230}
        behind={{
          program: isManaged ? (
            <FoundPrograms
              key={host}
              kind={choices.kind.kind}
              host={host}
              typed={String(values.program ?? '')}
              onChoose={(program) => onChange({ ...values, program })}
            />
          ) : null,
        }}
        onChange={onChange}
      />
      {isLocal && host === NOT_KNOWN && !isProxy(values) && choices.hosts.includes(LOCAL_HOST_NAME) && (
        <ProblemBanner
          tone="warn"
          problem={{ message: 'The address is one of this computer, but the server host is unknown.' }}
          actions={
            <Button size="xs" variant="default" onClick={() => onChange({ ...values, host: LOCAL_HOST_NAME })}>
              Use {LOCAL_HOST_NAME}
            </Button>
          }
        />
      )}
      <p className={classes.touched}>{touched(host, String(values.control ?? CONTROLS.none), isProxy(values))}</p>
    </Panel>
  );
}

/** Kneepoint's actions on the server, and those it never takes. */
function touched(host: string, control: string, proxy: boolean): string {
  if (proxy && host === NOT_KNOWN)
    return 'Kneepoint measures through the proxy and does not change it. All other actions apply to the server behind it.';
  if (host === NOT_KNOWN)
    return 'Kneepoint only connects to the server; it cannot start it, drop caches or change the host.';
  const always = 'Settings are changed only by sessions that vary them, and restored afterwards.';
  switch (control) {
    case CONTROLS.systemd:
      return `Kneepoint starts, stops and restarts the unit on ${host} when a session or this page requests it. Unit files and configuration do not change, except for the settings file. ${always}`;
    case CONTROLS.commands:
      return `Kneepoint runs these commands on ${host} when a session or this page requests it, and nothing else to start or stop the server. ${always}`;
    case CONTROLS.managed:
      return `Kneepoint starts its own server on ${host}, in its data folder, on the port of this target. It never touches a server run by the system, its data or its configuration. The data stays when the target is removed.`;
    default:
      return `Kneepoint never starts or stops the server. Caches and settings of ${host} can be varied. ${always}`;
  }
}

interface FoundProperties {
  kind: TargetKind;
  host: string;
  /** Name or path as typed. */
  typed: string;
  onChoose(program: string): void;
}

/** Programs of a host with their versions, on demand. */
function FoundPrograms({ kind, host, typed, onChoose }: FoundProperties) {
  const [also, setAlso] = useState<string>();
  const isAsked = also !== undefined;
  const input = { kind, host, ...(also ? { also } : {}) };
  const found = useCall('targets.findPrograms', input, { enabled: isAsked, retry: false, staleTime: 0 });
  const look = (): void => {
    setAlso(typed.trim());
    if (isAsked) void found.refetch();
  };
  return (
    <div className={classes.programs}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconSearch size={14} stroke={1.6} />}
        loading={found.isFetching}
        onClick={look}
      >
        Find on {host}
      </Button>
      {found.error && <ProblemBanner problem={found.error.problem} />}
      {found.data && (
        <ul aria-label={`Programs on ${host}`}>
          {found.data.map((program) => (
            <Program key={program.name} program={program} isChosen={isSame(program, typed)} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </div>
  );
}

const isSame = ({ name, path }: ServerProgram, typed: string): boolean => [name, path].includes(typed.trim());

/** Many begin with their own path, which is already shown above. */
function versionWords(path: string | undefined, version = ''): string {
  if (path === undefined) return 'not found';
  return version.replace(path, '').trim() || 'unknown version';
}

interface ProgramProperties {
  program: ServerProgram;
  isChosen: boolean;
  onChoose(program: string): void;
}

const Program = ({ program: { name, path, version }, isChosen, onChoose }: ProgramProperties) => (
  <li>
    <span className="kp-mono">{path ?? name}</span>
    <span className="kp-small kp-dim">{versionWords(path, version)}</span>
    {path !== undefined && (
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={isChosen}
        aria-label={isChosen ? `Chosen: ${path}` : `Use ${path}`}
        onClick={() => onChoose(path)}
      >
        {isChosen ? 'Chosen' : 'Use'}
      </Button>
    )}
  </li>
);
