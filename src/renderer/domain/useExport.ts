import { notifications } from '@mantine/notifications';
import { IconBraces, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ExportFormat } from '../../shared/contract/reports.ts';
import type { Levels } from '../../shared/model/experiment.ts';
import { describeProblem, problemOf } from '../../shared/model/problem.ts';
import { ask, useLink } from '../client/index.ts';
import { saveFile } from '../ui/index.ts';

/** Formats of a file, with their name, what is in it, and their icon. */
export const EXPORTS: readonly (readonly [ExportFormat, string, string, typeof IconTable])[] = [
  ['pdf', 'PDF report', 'Set-up, matrix, charts, tables, how to reproduce', IconFileTypePdf],
  ['csv', 'CSV, every second', 'One line per second of every run', IconTable],
  ['csv-cells', 'CSV, cells', 'One line per cell', IconTable],
  ['csv-monitors', 'CSV, hosts and servers', 'What was watched, every second', IconTable],
  ['json', 'JSON', 'All of it, to read by a program', IconBraces],
];

interface Exported {
  sessionId: number;
  /** Seconds left out at the start of each run; absent: as planned. */
  warmup?: number;
  /** Levels that ratios refer to, by factor; absent: as the document says. */
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
  const make = useMutation<void, unknown, { sessions: readonly Exported[]; format: ExportFormat }>({
    mutationFn: async ({ sessions, format }) => {
      for (const session of sessions) saveFile(await ask(link, 'reports.make', { ...session, format }));
    },
    onError: (thrown) =>
      notifications.show({
        color: 'red',
        title: 'The file was not made.',
        message: describeProblem(problemOf(thrown)),
      }),
  });
  return { start: (sessions, format) => make.mutate({ sessions, format }), busy: make.isPending };
}
