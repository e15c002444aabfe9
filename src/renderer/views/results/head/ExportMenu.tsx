import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBraces, IconDownload, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import type { ExportFormat } from '../../../../shared/contract/reports.ts';
import { describeProblem } from '../../../../shared/model/problem.ts';
import type { Session } from '../../../../shared/model/session.ts';
import { formatDuration } from '../../../../shared/util/format.ts';
import { useAction } from '../../../client/index.ts';

import { saveFile } from '../../../ui/index.ts';

const FORMATS: readonly [ExportFormat, string, string, typeof IconTable][] = [
  ['pdf', 'PDF report', 'Set-up, matrix, charts, tables, how to reproduce', IconFileTypePdf],
  ['csv', 'CSV, every second', 'One line per second of every run', IconTable],
  ['csv-cells', 'CSV, cells', 'One line per cell', IconTable],
  ['json', 'JSON', 'All of it, to read by a program', IconBraces],
];

interface Properties {
  session: Session;
  /** The cut that the page shows; undefined: as planned. */
  warmup: number | undefined;
}

/** The session as a file, with the figures of the cut that the page shows. */
export function ExportMenu({ session, warmup }: Properties) {
  const make = useAction('reports.make', { onSuccess: saveFile });
  const start = (format: ExportFormat): void =>
    make.mutate(
      { sessionId: session.id, format, ...(warmup !== undefined && { warmup }) },
      {
        onError: (error) =>
          notifications.show({
            color: 'red',
            title: 'The file was not made.',
            message: describeProblem(error.problem),
          }),
      },
    );
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={16} />} loading={make.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {warmup !== undefined && <Menu.Label>Figures after {formatDuration(warmup)} of each run</Menu.Label>}
        {FORMATS.map(([format, label, words, Icon]) => (
          <Menu.Item key={format} leftSection={<Icon size={18} stroke={1.6} />} onClick={() => start(format)}>
            {label}
            <div className="kp-small">{words}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
