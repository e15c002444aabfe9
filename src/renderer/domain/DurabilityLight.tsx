import type { Durability } from '../../shared/model/target.ts';
import { Status, type Tone } from '../ui/index.ts';
import classes from './settings.module.css';

type Level = Durability['level'];
const LEVEL_TONES: Readonly<Record<Level, Tone>> = {
  safe: 'ok',
  relaxed: 'warn',
  unsafe: 'bad',
  unknown: 'idle',
};
const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  safe: 'Safe: acknowledged data survives a power cut',
  relaxed: 'Relaxed: a power cut may lose the most recent data',
  unsafe: 'Unsafe: a power cut may lose or damage data',
  unknown: 'Durability unknown',
};

/** The effect of a power cut, and the settings that decide it: a light for the whole and one for each of them. */
export function DurabilityLight({ durability: { level, why, settings } }: { durability: Durability }) {
  return (
    <div className={classes.durability} data-tone={LEVEL_TONES[level]}>
      <Status tone={LEVEL_TONES[level]}>{LEVEL_WORDS[level]}</Status>
      {(level === 'unknown' || !settings?.length) && <p>{why}</p>}
      {settings && settings.length > 0 && (
        <ul aria-label="Durability settings">
          {settings.map((setting) => (
            <li key={setting.name}>
              <Status tone={LEVEL_TONES[setting.level]} title={`This one alone: ${setting.level}.`}>
                <code>
                  {setting.name} = {setting.value}
                </code>
              </Status>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
