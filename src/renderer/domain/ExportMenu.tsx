import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBraces, IconDownload, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import type { ExportFormat } from '../../shared/contract/reports.ts';
import type { Levels } from '../../shared/model/experiment.ts';
import { describeProblem, problemOf } from '../../shared/model/problem.ts';
import { formatCount, formatDuration } from '../../shared/util/format.ts';
import { ask, inSequence, useLink } from '../client/index.ts';
import { saveFile } from '../ui/index.ts';

interface Properties {
  sessionId: number;
  /** The cut shown on the page; undefined: as planned. */
  warmup: number | undefined;
  /** Levels that ratios on the page refer to. Default: those of the document. */
  baselines?: Levels | undefined;
  /** The session it is compared with in the file. */
  compareWith?: number | undefined;
  /** Why there is no file; absent if there is one. */
  without?: string | undefined;
}

/** Exports a session as a file, with the figures of the cut shown on the page. */
export function ExportMenu({ sessionId, warmup, baselines, compareWith, without }: Properties) {
  const files = useExport();
  // Seconds belong to a session: a comparison has none of its own.
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

/** File formats, with name, contents, and icon. */
export const EXPORTS: readonly (readonly [ExportFormat, string, string, typeof IconTable])[] = [
  ['pdf', 'PDF report', 'Set-up, matrix, charts, tables, steps to reproduce', IconFileTypePdf],
  ['csv', 'CSV, every second', 'One line per second of every run', IconTable],
  ['csv-cells', 'CSV, cells', 'One line per cell', IconTable],
  ['csv-monitors', 'CSV, hosts and servers', 'Monitored series, every second', IconTable],
  ['json', 'JSON', 'All data, machine-readable', IconBraces],
];

/** Confirms files that were handed to the downloads of the page. */
export function showDownloaded(names: readonly string[]): void {
  if (names.length === 0) return;
  notifications.show({
    title: `Downloaded ${names.length === 1 ? 'the file' : formatCount(names.length, 'file')}`,
    message: names.join(', '),
  });
}

interface Exported {
  sessionId: number;
  /** Seconds cut at the start of each run. Default: as planned. */
  warmup?: number;
  /** Levels that ratios refer to, by factor. Default: those of the document. */
  baselines?: Levels;
  /** The baseline of a comparison in the file. */
  compareWith?: number;
}

interface Export {
  start: (sessions: readonly Exported[], format: ExportFormat) => void;
  busy: boolean;
}

/** Saves a file of each session, one after another. */
export function useExport(): Export {
  const link = useLink();
  const make = useMutation<string[], unknown, { sessions: readonly Exported[]; format: ExportFormat }>({
    mutationFn: async ({ sessions, format }) => {
      const names: string[] = [];
      await inSequence(['Exporting sessions', 'session'], sessions, async (session) => {
        const file = await ask(link, 'reports.make', { ...session, format });
        saveFile(file);
        names.push(file.fileName);
      });
      return names;
    },
    onSuccess: showDownloaded,
    onError: (thrown) =>
      notifications.show({
        color: 'red',
        title: 'The file was not created.',
        message: describeProblem(problemOf(thrown)),
      }),
  });
  return { start: (sessions, format) => make.mutate({ sessions, format }), busy: make.isPending };
}
