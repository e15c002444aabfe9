import { useState } from 'react';
import type { Experiment, Factor } from '../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../shared/model/factor.ts';
import type { Problem } from '../../../../shared/model/problem.ts';
import { settingWords } from '../../../../shared/model/settings.ts';
import type { Target } from '../../../../shared/model/target.ts';
import type { ServerSetting, SettingChange, SettingValues } from '../../../../shared/model/target-details.ts';
import { useCall } from '../../../client/index.ts';

export interface ServerSettings {
  /** Targets of the cells. */
  readonly targets: readonly string[];
  /** The target whose server is queried. */
  readonly asked: string | undefined;
  readonly reading: boolean;
  readonly problem: Problem | undefined;
  readonly suggestions: readonly ServerSetting[];
  ask(target: string): void;
  again(): void;
}

/**
 * Every setting of the server whose settings are varied, as reported by the server itself; with several servers, of the selected one. `on`:
 * the target that a factor or event names, if any.
 */
export function useServerSettings(
  {
    experiment,
    targets: saved,
  }: {
    readonly experiment: Pick<Experiment, 'where' | 'factors'>;
    readonly targets: readonly Target[];
  },
  on: unknown,
): ServerSettings {
  const [chosen, setChosen] = useState<string>();
  const targets = targetsOf(experiment.factors, on, experiment.where.target);
  const asked = chosen !== undefined && targets.includes(chosen) ? chosen : targets[0];
  const target = saved.find(({ spec }) => spec.name === asked);
  const none = { id: 0, spec: { name: '', kind: '', via: null, config: {} } };
  const reading = useCall('targets.inspectSpec', target ? { id: target.id, spec: target.spec } : none, {
    enabled: target !== undefined,
  });
  const problem = reading.error?.problem ?? (reading.data?.result === 'failed' ? reading.data.problem : undefined);
  return {
    targets,
    asked,
    reading: target !== undefined && reading.isFetching,
    problem,
    suggestions: reading.data?.result === 'ok' ? (reading.data.details.settings ?? []) : [],
    ask: setChosen,
    again: () => void reading.refetch(),
  };
}

function targetsOf(factors: readonly Factor[], on: unknown, target: string | undefined): string[] {
  if (typeof on === 'string') return [on];
  const varied = factors.filter(({ kind }) => kind === 'target').flatMap((factor) => levelsOf(factor).map(String));
  if (varied.length > 0) return varied;
  return target === undefined ? [] : [target];
}

const CHANGE_WORDS: Readonly<Record<SettingChange, string>> = {
  dynamic: 'live',
  connection: 'live, for new connections',
  reload: 'needs a reload',
  restart: 'needs a restart',
  fixed: 'cannot be changed',
};

/** Value, default, accepted values and cost of a change, in one line. */
export function settingFacts({ value, unit, default: standard, change, takes }: ServerSetting): string {
  return [
    `now ${settingWords({ value, unit }) || 'empty'}`,
    ...(standard === undefined ? [] : [`default ${settingWords({ value: standard, unit }) || 'empty'}`]),
    ...(takes ? [takenWords(takes, unit)] : []),
    ...(change ? [CHANGE_WORDS[change]] : []),
  ].join(' · ');
}

/** Longer lists are cut, as they would fill the line. */
const MOST_WORDS = 8;

function takenWords(takes: SettingValues, unit: string | undefined): string {
  if (!('list' in takes))
    return `${settingWords({ value: takes.least, unit })} to ${settingWords({ value: takes.most, unit })}`;
  const more = takes.list.length - MOST_WORDS;
  return `${takes.list.slice(0, MOST_WORDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
