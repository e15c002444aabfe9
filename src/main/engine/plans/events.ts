import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import type { Factor } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import {
  isControlEvent,
  isSettingEvent,
  type ScenarioEvent,
  type SettingEvent,
} from '../../../shared/model/scenario.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import type { DesiredSetting } from '../factors/change.ts';
import type { StepDraft } from '../factors/factor.ts';
import { COMMANDS, factorProblems, rulesOf } from '../factors/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { ResolvedCell, Step } from './effects.ts';

/** Maximum number of cells named that do not reach an event. */
const SHOWN_CELLS = 5;

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** The factor that would set the same with its only level. */
function factorOf({ do: kind, setting, value, on, ...rest }: SettingEvent): Factor {
  const of = 'of' in rest ? rest.of : undefined;
  return {
    name: 'event',
    kind,
    setting,
    levels: [value],
    ...(of !== undefined && { of }),
    ...(on !== undefined && { on }),
  };
}

/**
 * Settings that an event needs on hosts and servers in a cell with this step, like a factor of its kind. Empty for events that change no
 * setting.
 */
export function eventSettings(event: ScenarioEvent, step: StepDraft, tool: Tool): readonly DesiredSetting[] {
  if (!isSettingEvent(event)) return [];
  return rulesOf(factorOf(event), tool).apply({ ...step, settings: [] }, event.value).settings;
}

/** Problems of a document's events, as far as they are known without asking a host or server. */
export function eventProblems(
  experiment: Experiment,
  { tool, steps }: { tool: Tool; steps: readonly Step[] },
  isHost: (name: string) => boolean,
  at: Placed,
): DocumentProblem[] {
  const { events = [] } = experiment.measure;
  if (events.length === 0) return [];
  const end = Math.max(...steps.map(({ warmup, duration }) => warmup + duration));
  const hasTarget = steps.every(({ target }) => target !== undefined);
  return events.flatMap((event, index) => {
    const here = (path: (string | number)[], message: string): DocumentProblem =>
      at(['measure', 'events', index, ...path], message);
    const late =
      event.at < end
        ? []
        : [
            here(
              ['at'],
              `No trial reaches second ${formatNumber(event.at)}: the longest ends at second ${formatNumber(end)}.`,
            ),
          ];
    return [
      ...late,
      ...placeProblems(event, hasTarget, isHost, here),
      ...settingProblems(event, experiment, tool, here),
    ];
  });
}

/** Events that come after the end of a trial in some cells. */
export function eventFindings({ measure }: Experiment, cells: readonly ResolvedCell[]): Finding[] {
  const { events = [] } = measure;
  if (events.length === 0) return [];
  const ends = cells.map((cell) => ({
    end: cell.steps.reduce((sum, { warmup, duration }) => sum + warmup + duration, 0),
    name: nameOf(cell),
  }));
  return events.flatMap(({ at }): Finding[] => {
    const short = ends.filter(({ end }) => end <= at);
    // An event that no cell reaches is reported as a problem of the document.
    if (short.length === 0 || short.length === ends.length) return [];
    const named = short.slice(0, SHOWN_CELLS).map(({ name, end }) => `${name} (${formatNumber(end)} s)`);
    const more = short.length > named.length ? ` and ${short.length - named.length} more` : '';
    return [
      {
        code: 'event-not-reached',
        severity: 'warn',
        message: `The event at second ${formatNumber(at)} does not happen in ${short.length} of ${ends.length} cells, whose trials end earlier: ${named.join('; ')}${more}.`,
        next: 'Schedule it earlier, or make their trials longer.',
      },
    ];
  });
}

const nameOf = ({ levels }: ResolvedCell): string =>
  Object.entries(levels)
    .map(([factor, level]) => `${factor} ${String(level)}`)
    .join(', ');

function placeProblems(
  event: ScenarioEvent,
  hasTarget: boolean,
  isHost: (name: string) => boolean,
  here: Placed,
): DocumentProblem[] {
  const unknown = (name: string, path: string): DocumentProblem[] =>
    isHost(name) ? [] : [here([path], `There is no host named “${name}”. Add it under Hosts, or choose another one.`)];
  if (event.do === 'run') return event.host === undefined ? [] : unknown(event.host, 'host');
  if (event.do === 'host-setting')
    return event.on === undefined || ['target', 'generators'].includes(event.on) ? [] : unknown(event.on, 'on');
  const needsTarget =
    isControlEvent(event) || event.do === 'statement' || (event.do === 'server-setting' && event.on === undefined);
  return needsTarget && !hasTarget ? [here(['do'], 'This needs a target, but none is chosen.')] : [];
}

/** Problems reported by the factor's kind, at the fields of the event. */
function settingProblems(
  event: ScenarioEvent,
  { where }: Pick<Experiment, 'where'>,
  tool: Tool,
  here: Placed,
): DocumentProblem[] {
  if (!isSettingEvent(event)) return [];
  if (event.setting === COMMANDS) return [here(['setting'], 'To run custom commands, use an event with do: run.')];
  return factorProblems({ factors: [factorOf(event)], where }, tool, ([_factors, _index, part, ...rest], message) =>
    here(part === undefined ? [] : part === 'levels' ? ['value'] : [part, ...rest], message),
  );
}
