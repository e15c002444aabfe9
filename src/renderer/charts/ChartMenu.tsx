import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDownload, IconMaximize, IconMinimize, IconZoomReset } from '@tabler/icons-react';
import { type ChartModel, tableToCsv } from '../../shared/chart-models/index.ts';
import { problemOf } from '../../shared/model/problem.ts';
import { saveFile } from '../ui/index.ts';
import { type Instance, resetZoom, toPng, toSvg } from './engine.ts';

interface MenuProperties {
  /** Title of the chart; also names the files. */
  title: string;
  instance: Instance | undefined;
  model: ChartModel;
  ground: string;
  full: boolean;
  onFull: () => void;
  zoomable: boolean;
}

const FORMATS = ['PNG', 'SVG', 'CSV'] as const;
type Format = (typeof FORMATS)[number];
const MEDIA_TYPES: Readonly<Record<Format, string>> = { PNG: 'image/png', SVG: 'image/svg+xml', CSV: 'text/csv' };

/** Exports of a chart: a bitmap, a vector picture, a table. */
export interface Makers {
  png: () => Promise<Blob>;
  svg: () => Promise<string>;
  csv: () => Promise<string>;
}

/** `Ratio to the baseline` → `ratio-to-the-baseline.png`. */
const fileNameOf = (title: string, format: Format): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'chart'
  }.${format.toLowerCase()}`;

/** Buttons of a chart: copy or download as picture or figures, reset zoom, full screen. */
export function ChartMenu({ title, instance, model, ground, full, onFull, zoomable }: MenuProperties) {
  const makers = instance && {
    png: () => toPng(instance, ground),
    svg: async () => toSvg(model, instance.getWidth(), instance.getHeight(), ground),
    csv: async () => tableToCsv(model.table()),
  };
  return (
    <ChartButtons
      {...{ title, full, onFull, makers }}
      onReset={zoomable ? () => instance && resetZoom(instance) : undefined}
    />
  );
}

interface ButtonsProperties {
  title: string;
  full: boolean;
  onFull: () => void;
  makers: Makers | undefined;
  /** Absent if it cannot be zoomed. */
  onReset: (() => void) | undefined;
}

const textOf = (makers: Makers, format: 'SVG' | 'CSV'): Promise<string> =>
  format === 'SVG' ? makers.svg() : makers.csv();

/** Buttons of any picture. */
export function ChartButtons({ title, full, onFull, makers, onReset }: ButtonsProperties) {
  const report = (what: Format, done: 'Copied' | 'Downloaded', make: (format: Format) => Promise<void>): void => {
    make(what).then(
      () => notifications.show({ message: `${done} as ${what}.`, autoClose: 2000 }),
      (thrown) =>
        notifications.show({
          color: 'red',
          title: `The chart was not ${done.toLowerCase()} as ${what}.`,
          message: `${problemOf(thrown).message}${done === 'Copied' ? ' Click in the window first, or allow clipboard access for this page.' : ''}`,
        }),
    );
  };
  const copy = async (format: Format): Promise<void> => {
    if (!makers) return;
    if (format === 'PNG') await navigator.clipboard.write([new ClipboardItem({ 'image/png': makers.png() })]);
    else await navigator.clipboard.writeText(await textOf(makers, format));
  };
  const download = async (format: Format): Promise<void> => {
    if (!makers) return;
    const bytes =
      format === 'PNG'
        ? new Uint8Array(await (await makers.png()).arrayBuffer())
        : new TextEncoder().encode(await textOf(makers, format));
    saveFile({ fileName: fileNameOf(title, format), mediaType: MEDIA_TYPES[format], bytes });
  };
  return (
    <div className="kp-chart-buttons">
      {onReset ? (
        <Tooltip label="Whole range. Drag over a range, or Ctrl + wheel, to zoom in">
          <ActionIcon aria-label="Reset zoom" onClick={onReset}>
            <IconZoomReset size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <FormatMenu label="Copy" icon={IconCopy} onChoose={(format) => report(format, 'Copied', copy)} />
      <FormatMenu label="Download" icon={IconDownload} onChoose={(format) => report(format, 'Downloaded', download)} />
      <Tooltip label={full ? 'Leave full screen (F or Esc)' : 'Full screen (F)'}>
        <ActionIcon aria-label={full ? 'Leave full screen' : 'Full screen'} data-full-screen onClick={onFull}>
          {full ? <IconMinimize size={16} stroke={1.6} /> : <IconMaximize size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface FormatMenuProperties {
  label: string;
  icon: typeof IconCopy;
  onChoose: (format: Format) => void;
}

const FormatMenu = ({ label, icon: Icon, onChoose }: FormatMenuProperties) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Tooltip label={label}>
        <ActionIcon aria-label={`${label} chart`}>
          <Icon size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>
      {FORMATS.map((format) => (
        <Menu.Item key={format} onClick={() => onChoose(format)}>
          {label} as {format}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
