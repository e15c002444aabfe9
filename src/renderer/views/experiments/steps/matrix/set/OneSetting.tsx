import { Text } from '@mantine/core';
import type { Factor } from '../../../../../../shared/model/experiment.ts';
import { settingFacts, useServerSettings } from '../../../document/useServerSettings.ts';
import type { MatrixContext } from '../kinds.ts';
import { ServerOfSettings } from './ServerOfSettings.tsx';
import { SettingPicker } from './SettingPicker.tsx';
import classes from './set.module.css';

interface Properties {
  context: MatrixContext;
  factor: Factor;
  onChange(factor: Factor): void;
}

/** The one setting of a server whose values are the levels, with what the server says of it. */
export function OneSetting({ context, factor, onChange }: Properties) {
  const server = useServerSettings(context, factor.on);
  const name = typeof factor.setting === 'string' ? factor.setting : '';
  const known = server.suggestions.find((setting) => setting.name === name);
  return (
    <section className={classes.section}>
      <ServerOfSettings server={server} />
      <SettingPicker
        label="Setting"
        suggestions={server.suggestions}
        onPick={(setting) => {
          const { levels, ...rest } = factor;
          onChange({ ...rest, setting, levels });
        }}
      />
      <Text size="sm">
        {name === '' ? 'No setting chosen yet.' : <code>{name}</code>}{' '}
        <span className="kp-small">{known && settingFacts(known)}</span>
      </Text>
    </section>
  );
}
