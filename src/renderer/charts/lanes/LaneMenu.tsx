import {
  type ChartLane,
  drawPicture,
  type LanePicture,
  laneTable,
  pictureHeight,
  SvgPen,
  tableToCsv,
} from '../../../shared/chart-models/index.ts';
import { ChartButtons } from '../ChartMenu.tsx';
import { useChartTheme } from '../useChartTheme.ts';
import { CanvasPen } from './canvas-pen.ts';
import type { LaneWindow } from './lane-window.ts';

/** The parts of a file of all lanes other than their values. */
export interface FilePicture extends Pick<LanePicture, 'scene' | 'clock'> {
  view: () => LanePicture['view'];
}

interface MenuProperties {
  title: string;
  shared: LaneWindow;
  picture: Pick<LanePicture, 'groups'> & FilePicture;
  full: boolean;
  width: number;
  load: (() => Promise<readonly ChartLane[]>) | undefined;
  onFull: () => void;
}

/** Maximum pixels of a side that browsers draw. */
const LONGEST = 16_000;

/** Buttons for all lanes: copied or downloaded as one picture, or as one table by second. */
export function LaneMenu({ title, shared, picture, full, width, load, onFull }: MenuProperties) {
  const theme = useChartTheme();
  const whole = async (): Promise<LanePicture> => ({
    ...picture,
    ...{ lanes: (await load?.()) ?? [], view: picture.view() },
  });
  const makers = load && {
    png: async () => pngOf(await whole(), width, theme),
    svg: async () => {
      const all = await whole();
      const pen = new SvgPen(theme.font);
      drawPicture(pen, all, width, theme);
      return pen.markup(width, pictureHeight(all), theme.ground);
    },
    csv: async () => {
      const { lanes, groups, view, clock } = await whole();
      return tableToCsv(laneTable(lanes, groups, view, clock.from ?? 0));
    },
  };
  return <ChartButtons {...{ title, full, onFull, makers }} onReset={() => shared.reset()} />;
}

function pngOf(picture: LanePicture, width: number, theme: Parameters<typeof drawPicture>[3]): Promise<Blob> {
  const height = pictureHeight(picture);
  const density = Math.min(2, LONGEST / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const context = canvas.getContext('2d');
  if (context) {
    context.scale(density, density);
    context.fillStyle = theme.ground;
    context.fillRect(0, 0, width, height);
    drawPicture(new CanvasPen(context, theme.font), picture, width, theme);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image could not be created.'))), 'image/png');
  });
}
