import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBraces, IconDownload, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import type { ExportFormat } from '../../shared/contract/reports.ts';
import { describeProblem } from '../../shared/model/problem.ts';
import { formatDuration } from '../../shared/util/format.ts';
import { useAction } from '../client/index.ts';
import { saveFile } from '../ui/index.ts';

const FORMATS: readonly [ExportFormat, string, string, typeof IconTable][] = [
  ['pdf', 'PDF report', 'Set-up, matrix, charts, tables, how to reproduce', IconFileTypePdf],
  ['csv', 'CSV, every second', 'One line per second of every run', IconTable],
  ['csv-cells', 'CSV, cells', 'One line per cell', IconTable],
  ['json', 'JSON', 'All of it, to read by a program', IconBraces],
];

interface Properties {
  sessionId: number;
  /** The cut that the page shows; undefined: as planned. */
  warmup: number | undefined;
  /** The session that it is compared with in the file. */
  compareWith?: number | undefined;
  disabled?: boolean;
}

/** A session as a file, with the figures of the cut that the page shows. */
export function ExportMenu({ sessionId, warmup, compareWith, disabled = false }: Properties) {
  const make = useAction('reports.make', { onSuccess: saveFile });
  // Seconds are those of one session: a comparison has none of its own.
  const formats = FORMATS.filter(([format]) => compareWith === undefined || format !== 'csv');
  const start = (format: ExportFormat): void =>
    make.mutate(
      {
        ...{ sessionId, format },
        ...(warmup !== undefined && { warmup }),
        ...(compareWith !== undefined && { compareWith }),
      },
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
        <Button leftSection={<IconDownload size={16} />} loading={make.isPending} disabled={disabled}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {compareWith !== undefined && <Menu.Label>The session with its comparison</Menu.Label>}
        {warmup !== undefined && <Menu.Label>Figures after {formatDuration(warmup)} of each run</Menu.Label>}
        {formats.map(([format, label, words, Icon]) => (
          <Menu.Item key={format} leftSection={<Icon size={18} stroke={1.6} />} onClick={() => start(format)}>
            {label}
            <div className="kp-small">{words}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
