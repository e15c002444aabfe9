import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconMaximize, IconMinimize, IconZoomReset } from '@tabler/icons-react';
import { type ChartModel, tableToCsv } from '../../shared/chart-models/index.ts';
import { problemOf } from '../../shared/model/problem.ts';
import { type Instance, resetZoom, toPng, toSvg } from './engine.ts';

interface MenuProperties {
  instance: Instance | undefined;
  model: ChartModel;
  ground: string;
  full: boolean;
  onFull: () => void;
  zoomable: boolean;
}

/** Buttons of a chart: copy as picture or figures, zoom back, full screen. */
export function ChartMenu({ instance, model, ground, full, onFull, zoomable }: MenuProperties) {
  const copy = (what: string, make: () => Promise<void>): void => {
    make().then(
      () => notifications.show({ message: `Copied as ${what}.`, autoClose: 2000 }),
      (thrown) =>
        notifications.show({
          color: 'red',
          title: `The chart was not copied as ${what}.`,
          message: `${problemOf(thrown).message} Click into the window first, or allow the clipboard for this page.`,
        }),
    );
  };
  const copyPng = async (): Promise<void> => {
    if (instance) await navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(instance, ground) })]);
  };
  const copySvg = async (): Promise<void> => {
    if (!instance) return;
    await navigator.clipboard.writeText(toSvg(model, instance.getWidth(), instance.getHeight(), ground));
  };
  return (
    <div className="kp-chart-buttons">
      {zoomable ? (
        <Tooltip label="Whole range. Drag over a range, or Ctrl + wheel, to look closer">
          <ActionIcon aria-label="Reset zoom" onClick={() => instance && resetZoom(instance)}>
            <IconZoomReset size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Copy">
            <ActionIcon aria-label="Copy chart">
              <IconCopy size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy('PNG', copyPng)}>Copy as PNG</Menu.Item>
          <Menu.Item onClick={() => copy('SVG', copySvg)}>Copy as SVG</Menu.Item>
          <Menu.Item onClick={() => copy('CSV', () => navigator.clipboard.writeText(tableToCsv(model.table())))}>
            Copy as CSV
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={full ? 'Leave full screen (Esc)' : 'Full screen'}>
        <ActionIcon aria-label={full ? 'Leave full screen' : 'Full screen'} onClick={onFull}>
          {full ? <IconMinimize size={16} stroke={1.6} /> : <IconMaximize size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
