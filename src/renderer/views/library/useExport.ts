import { notifications } from '@mantine/notifications';
import { IconBraces, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ExportFormat } from '../../../shared/contract/reports.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { ask, useLink } from '../../client/index.ts';
import { saveFile } from '../../ui/index.ts';

export const EXPORTS: readonly (readonly [ExportFormat, string, typeof IconTable])[] = [
  ['pdf', 'PDF report', IconFileTypePdf],
  ['csv-cells', 'CSV, cells', IconTable],
  ['csv', 'CSV, every second', IconTable],
  ['json', 'JSON', IconBraces],
];

export interface Export {
  start: (sessions: readonly Session[], format: ExportFormat) => void;
  busy: boolean;
}

/** Saves a file of each session, one after another. */
export function useExport(): Export {
  const link = useLink();
  const make = useMutation<void, unknown, { sessions: readonly Session[]; format: ExportFormat }>({
    mutationFn: async ({ sessions, format }) => {
      for (const { id } of sessions) saveFile(await ask(link, 'reports.make', { sessionId: id, format }));
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
