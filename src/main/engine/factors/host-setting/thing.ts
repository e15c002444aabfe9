import type { Finding } from '../../../../shared/model/finding.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { At, DesiredSetting, Examined, Found, How } from '../change.ts';
import { type Access, type Answer, nameOf, PRIVILEGE, show, write } from './on-host.ts';
import { type HostSetting, type Reading, readPrinted } from './settings/setting.ts';

/** Anything that can be varied on a host: a setting, or custom commands. `how` is that of the desired setting. */
export interface Thing {
  examine(at: At, desired: DesiredSetting, how: How): Promise<Examined>;
  read(at: At, how: How): Promise<Found>;
  matches(desired: string, found: string | null, how: How): boolean;
  apply(at: At, desired: string, first: Found, how: How): Promise<void>;
  restore(at: At, first: Found, how: How): Promise<void>;
}

/** A setting of the list, as a `Thing`. */
export function settingThing(setting: HostSetting): Thing {
  const ask = async (at: At, how: How, value: string, access = false): Promise<Answer & { reading?: Reading }> => {
    const answer = await show(at.machine(), setting, { ...askedOf(at, setting, how, value), access }, at.signal);
    if (answer.lacking !== undefined) return answer;
    const reading = setting.read(readPrinted(answer.printed), how.of ?? '');
    if (reading) return { ...answer, reading };
    throw notUnderstood(at, setting, how, answer.printed);
  };
  const refuseLacking = (at: At, how: How, lacking = ''): never => {
    throw new KneepointError({
      code: 'change-not-possible',
      host: at.machine().name,
      message: `${nameOf(setting, how.of ?? '')} cannot be varied on ${at.machine().name}: ${lacking}`,
      safe: 'Nothing was changed.',
      next: 'Check the host, or omit the setting.',
    });
  };
  const now = async (at: At, how: How, value = ''): Promise<Reading> => {
    const { reading, lacking } = await ask(at, how, value);
    return reading ?? refuseLacking(at, how, lacking);
  };
  const matches: Thing['matches'] = (desired, found) =>
    found !== null && (desired === found || setting.matches(desired, found));
  return {
    matches,
    async read(at, how) {
      const { reading, lacking } = await ask(at, how, '');
      if (how.moved !== undefined && lacking !== undefined) return { value: null };
      const { value, how: more } = reading ?? refuseLacking(at, how, lacking);
      return { value, ...(more && { how: more }) };
    },
    async examine(at, { value }, how) {
      const { access, reading, lacking } = await ask(at, how, value, true);
      if (!reading)
        return { found: { value: null }, cost: 'live', findings: [missing(at, setting, how, lacking ?? '')] };
      const { value: found, how: more } = reading;
      const findings = matches(value, found, how)
        ? []
        : [
            ...(access ? privilegeFindings(at, setting, how, access) : []),
            ...takenFindings(at, setting, how, value, reading),
          ];
      const judged = setting.judge?.(value, reading, how.of ?? '') ?? [];
      return { found: { value: found, ...(more && { how: more }) }, cost: 'live', findings: [...findings, ...judged] };
    },
    async apply(at, desired, _first, how) {
      const reading = await now(at, how, desired);
      if (matches(desired, reading.value, how)) return;
      const value = setting.complete?.(desired, reading) ?? desired;
      await write(at.machine(), setting, askedOf(at, setting, how, value), at.signal);
    },
    async restore(at, first, how) {
      if (first.value === null) return;
      const { reading = undefined, lacking } = await ask(at, how, '');
      // A setting that was moved may come and go with the one that moved it.
      if (!reading && how.moved !== undefined) return;
      if (!reading) return refuseLacking(at, how, lacking);
      if (reading.value === first.value) return;
      const { of, value } = setting.restoreTo?.({ ...first, value: first.value }, reading, how.of ?? '') ?? {
        of: how.of ?? '',
        value: first.value,
      };
      await write(at.machine(), setting, askedOf(at, setting, { ...how, of }, value), at.signal);
    },
  };
}

const askedOf = (at: At, { ofServer }: HostSetting, { of = '' }: How, value: string) => ({
  of,
  value,
  ...(ofServer && at.place.kind === 'server' && { target: at.target() }),
});

const missing = (at: At, setting: HostSetting, { of = '' }: How, words: string): Finding => ({
  code: 'setting-missing',
  severity: 'block',
  message: `${nameOf(setting, of)} cannot be varied on ${at.machine().name}: ${words}`,
  next: 'Omit it, or vary it on another host.',
});

function privilegeFindings(at: At, setting: HostSetting, { of = '' }: How, { by, writable }: Access): Finding[] {
  const host = at.machine().name;
  if (writable === true) return [];
  if (by === 'none')
    return [
      {
        code: 'no-privilege',
        severity: 'block',
        message: `The account on ${host} has no permission to change ${nameOf(setting, of)}: this requires root.`,
        next: PRIVILEGE,
      },
    ];
  if (writable === undefined) return [];
  return [
    {
      code: 'read-only',
      severity: 'block',
      message: `${nameOf(setting, of)} is read-only on ${host} even for root, as in a container.`,
      next: 'Vary it on the host that the container runs on.',
    },
  ];
}

function takenFindings(at: At, setting: HostSetting, { of = '' }: How, desired: string, { takes }: Reading): Finding[] {
  if (!takes || takes.some((each) => setting.matches(desired, each))) return [];
  return [
    {
      code: 'value-not-taken',
      severity: 'block',
      message: `${at.machine().name} does not accept ${desired} for ${nameOf(setting, of)}.`,
      evidence: `Accepted values: ${takes.slice(0, 40).join(', ')}`,
      next: 'Use one of these.',
    },
  ];
}

const notUnderstood = (at: At, setting: HostSetting, { of = '' }: How, printed: string): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    host: at.machine().name,
    message: `${at.machine().name} returned a value of ${nameOf(setting, of)} that Kneepoint cannot parse.`,
    safe: 'Reading it changed nothing.',
    next: 'Omit the setting, and report this with the diagnostics file.',
    details: { printed: printed.slice(0, 1000) },
  });
