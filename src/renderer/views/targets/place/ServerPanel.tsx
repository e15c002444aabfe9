import type { FormValues } from '../../../forms/index.ts';
import { OptionForm } from '../../../forms/index.ts';
import { Panel } from '../../../ui/index.ts';
import { FoundPrograms } from './FoundPrograms.tsx';
import { CONTROLS, isProxy, NOT_KNOWN, type PlaceChoices, placeFields } from './fields.ts';
import classes from './place.module.css';
import { placeProblems } from './values.ts';

interface Properties {
  choices: PlaceChoices;
  values: FormValues;
  tried: boolean;
  onChange(values: FormValues): void;
}

/** Host of the server, and how it is started and stopped there. */
export function ServerPanel({ choices, values, tried, onChange }: Properties) {
  const isManaged = values.control === CONTROLS.managed;
  const host = String(values.host ?? NOT_KNOWN);
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
      <p className={classes.touched}>{touched(host, String(values.control ?? CONTROLS.none), isProxy(values))}</p>
    </Panel>
  );
}

/** Kneepoint's actions on the server, and those it never takes. */
function touched(host: string, control: string, proxy: boolean): string {
  if (proxy && host === NOT_KNOWN)
    return 'Kneepoint measures through the proxy and does nothing to it. Everything else is done to the server behind it.';
  if (host === NOT_KNOWN)
    return 'Kneepoint only connects to the server; it cannot start it, drop caches or change the host.';
  const always = 'Settings are changed only by sessions that vary them, and restored afterwards.';
  switch (control) {
    case CONTROLS.systemd:
      return `Kneepoint starts, stops and restarts the unit on ${host} when a session or this page requests it. Unit files and configuration stay as they are, but for the settings file. ${always}`;
    case CONTROLS.commands:
      return `Kneepoint runs these commands on ${host} when a session or this page requests it, and nothing else to start or stop the server. ${always}`;
    case CONTROLS.managed:
      return `Kneepoint starts a server of its own on ${host}, in its data folder, on the port of this target. A server that the system runs, its data and its configuration are never touched. The data stays when the target is removed.`;
    default:
      return `Kneepoint never starts or stops the server. Caches of ${host} and settings of its machine can be varied. ${always}`;
  }
}
