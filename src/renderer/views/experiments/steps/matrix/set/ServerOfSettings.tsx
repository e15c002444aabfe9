import { Button, Select, Text } from '@mantine/core';
import { formatCount } from '../../../../../../shared/util/format.ts';
import { Status } from '../../../../../ui/index.ts';
import type { ServerSettings } from '../../../document/useServerSettings.ts';
import classes from './set.module.css';

/** Server whose settings are offered, and whether it could be queried for them. */
export function ServerOfSettings({ server }: { server: ServerSettings }) {
  const { targets, asked, reading, problem, suggestions } = server;
  if (asked === undefined)
    return (
      <Text size="sm" c="dimmed">
        No target chosen yet, in step “Where” or as a factor. Setting names can still be typed.
      </Text>
    );
  return (
    <div className={classes.server}>
      {targets.length > 1 ? (
        <Select
          aria-label="Server to read settings from"
          data={[...targets]}
          value={asked}
          allowDeselect={false}
          onChange={(name) => name !== null && server.ask(name)}
        />
      ) : (
        <span>
          Server of <b>{asked}</b>
        </span>
      )}
      {reading && <Status tone="busy">Reading its settings</Status>}
      {!reading && problem && <Status tone="warn">{`${problem.message} Names can still be typed.`}</Status>}
      {!reading && !problem && <Status tone="ok">{formatCount(suggestions.length, 'setting')}</Status>}
      {!reading && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={server.again}>
          Read again
        </Button>
      )}
    </div>
  );
}
