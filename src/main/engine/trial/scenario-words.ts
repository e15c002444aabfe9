import {
  isControlEvent,
  isSettingEvent,
  type ScenarioEvent,
  type SettingEvent,
} from '../../../shared/model/scenario.ts';
import type { Step } from '../plans/index.ts';

const DONE = { restart: 'restarted', stop: 'stopped', kill: 'killed', start: 'started' } as const;

/** What an event does, as its line in the timeline. */
export function scenarioWords(event: ScenarioEvent, { target = '?' }: Pick<Step, 'target'>): string {
  if (isControlEvent(event)) return `The server of “${target}” is ${DONE[event.do]}.`;
  if (isSettingEvent(event)) return settingWords(event, target);
  if (event.do === 'statement') return `A statement is sent to “${target}”: ${shortened(event.statement)}`;
  return `A command is run${event.host === undefined ? '' : ` on ${event.host}`}: ${shortened(event.command)}`;
}

function settingWords(event: SettingEvent, target: string): string {
  if (event.do === 'server-setting')
    return `The setting ${event.setting} of “${event.on ?? target}” is set to ${shortened(String(event.value))}.`;
  const { setting, of, on = 'target' } = event;
  const name = of === undefined ? setting : `${setting} ${of}`;
  const place = on === 'target' ? 'the host of the target' : on === 'generators' ? 'the generators' : on;
  return `${name} of ${place} is set to ${shortened(String(event.value))}.`;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
