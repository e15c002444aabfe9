import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useId } from 'react';
import type { Levels } from '../../shared/model/experiment.ts';
import { formatDuration } from '../../shared/util/format.ts';
import { EXPORTS, useExport } from './useExport.ts';

interface Properties {
  sessionId: number;
  /** The cut that the page shows; undefined: as planned. */
  warmup: number | undefined;
  /** Levels that ratios refer to on the page; absent: as the document says. */
  baselines?: Levels | undefined;
  /** The session that it is compared with in the file. */
  compareWith?: number | undefined;
  /** Why there is no file; absent: there is one. */
  without?: string | undefined;
}

/** A session as a file, with the figures of the cut that the page shows. */
export function ExportMenu({ sessionId, warmup, baselines, compareWith, without }: Properties) {
  const files = useExport();
  // Seconds are those of one session: a comparison has none of its own.
  const formats = EXPORTS.filter(([format]) => compareWith === undefined || format !== 'csv');
  const exported = {
    sessionId,
    ...(warmup !== undefined && { warmup }),
    ...(baselines && { baselines }),
    ...(compareWith !== undefined && { compareWith }),
  };
  const whyId = useId();
  return (
    <>
      {without === undefined ? null : (
        <span className="kp-small" id={whyId}>
          {without}
        </span>
      )}
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button
            leftSection={<IconDownload size={16} />}
            loading={files.busy}
            disabled={without !== undefined}
            aria-describedby={without === undefined ? undefined : whyId}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {compareWith !== undefined && <Menu.Label>The session with its comparison</Menu.Label>}
          {warmup !== undefined && <Menu.Label>Figures after {formatDuration(warmup)} of each run</Menu.Label>}
          {formats.map(([format, label, words, Icon]) => (
            <Menu.Item
              key={format}
              leftSection={<Icon size={18} stroke={1.6} />}
              onClick={() => files.start([exported], format)}
            >
              {label}
              <div className="kp-small">{words}</div>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
