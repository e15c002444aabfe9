import { createRequire } from 'node:module';
import path from 'node:path';
import pdfmake from 'pdfmake';
import type { CustomTableLayout, StyleDictionary, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import type { CallContext } from '../../../../shared/rpc/define.ts';
import { formatDateTime } from '../../../../shared/util/format.ts';
import type { ReportData } from '../data.ts';
import { type CostGoalData, costGoalParts, costGoalTitle } from '../document/cost-goal.ts';
import { figureOf, type Part } from '../document/parts.ts';
import { reportParts } from '../document/sections.ts';
import { draw, type Heights, isAtFoot, printable } from './draw.ts';

const STYLES: StyleDictionary = {
  h1: { fontSize: 20, bold: true, margin: [0, 0, 0, 6] },
  h2: { fontSize: 14, bold: true, margin: [0, 12, 0, 6] },
  h3: { fontSize: 10.5, bold: true, margin: [0, 6, 0, 3] },
  question: { fontSize: 11, italics: true, color: '#5b6975', margin: [0, 0, 0, 8] },
  lead: { fontSize: 12, margin: [0, 2, 0, 4] },
  best: { color: '#5b6975', margin: [0, 0, 0, 10] },
  head: { fontSize: 8, bold: true, color: '#5b6975' },
  cell: { fontSize: 8.5 },
  caption: { fontSize: 8, color: '#5b6975', margin: [0, 2, 0, 0] },
  note: { fontSize: 8.5, margin: [0, 0, 0, 8] },
  code: { font: 'RobotoMono', fontSize: 7, background: '#f4f6f8', margin: [0, 4, 0, 8] },
};

/** Each pass closes the gap at the bottom of a page, and takes as long as the report. */
const MOST_PASSES = 6;

const LAYOUT: CustomTableLayout = {
  hLineWidth: (row, node) => (row === 0 || row === node.table.body.length ? 0.6 : 0.3),
  vLineWidth: () => 0,
  hLineColor: () => '#d5dbe1',
  paddingTop: () => 2.5,
  paddingBottom: () => 2.5,
  paddingLeft: () => 3,
  paddingRight: () => 3,
};

const folderOf = (manifest: string, folder: string): string =>
  path.join(path.dirname(createRequire(import.meta.url).resolve(manifest)), folder);

/** A report before it is laid out. */
interface Report {
  readonly parts: readonly Part[];
  readonly title: string;
  /** In the footer of each page, between version and date. */
  readonly about?: string;
  readonly appVersion: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** Undefined if no caller is waiting. */
  readonly progress?: CallContext['progress'] | undefined;
}

/** The report of a session. */
export const sessionPdf = (data: ReportData): Promise<Uint8Array> =>
  pdfOf({
    ...{ parts: reportParts(data), title: data.detail.session.name, about: `session ${data.detail.session.id}` },
    ...{ appVersion: data.detail.appVersion, madeAt: data.madeAt, progress: data.progress },
  });

/** The answer to a cost goal over all sessions with a price. */
export const costGoalPdf = (data: CostGoalData, progress: CallContext['progress']): Promise<Uint8Array> =>
  pdfOf({
    ...{ parts: costGoalParts(data), title: costGoalTitle(data), progress },
    ...{ appVersion: data.appVersion, madeAt: data.madeAt },
  });

/** Created without a browser, so it is the same from a window, a page and the command line. */
async function pdfOf({ parts, title, about, appVersion, madeAt, progress }: Report): Promise<Uint8Array> {
  const fonts = folderOf('pdfmake/package.json', 'fonts/Roboto');
  const fixedWidth = folderOf('@expo-google-fonts/roboto-mono/package.json', '400Regular');
  const font = (name: string): string => path.join(fonts, `Roboto-${name}.ttf`);
  const mono = path.join(fixedWidth, 'RobotoMono_400Regular.ttf');
  pdfmake.setFonts({
    Roboto: {
      normal: font('Regular'),
      bold: font('Medium'),
      italics: font('Italic'),
      bolditalics: font('MediumItalic'),
    },
    RobotoMono: { normal: mono, bold: mono, italics: mono, bolditalics: mono },
  });
  // A report never reads from the network, and only its fonts from the disk, whatever a name or note contains.
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((file: string) =>
    [fonts, fixedWidth].some((folder) => path.resolve(file).startsWith(folder)),
  );
  pdfmake.setTableLayouts({ report: LAYOUT });
  const foot = [`Kneepoint ${appVersion}`, about, `created ${formatDateTime(madeAt)}`].filter(Boolean).join(' · ');
  const layOut = async (heights: Heights): Promise<{ bytes: Uint8Array; places: Places }> => {
    const places: Places = new Map();
    const definition: TDocumentDefinitions = {
      info: { title: printable(title), creator: `Kneepoint ${appVersion}`, creationDate: new Date(madeAt) },
      pageSize: 'A4',
      pageMargins: [40, MARGIN, 40, MARGIN],
      defaultStyle: { font: 'Roboto', fontSize: 9.5, color: '#1a222b' },
      styles: STYLES,
      content: draw(parts, heights),
      pageBreakBefore: (node, ...others) => {
        if (node.id !== undefined) places.set(node.id, node.startPosition);
        return isAtFoot(node, ...others);
      },
      footer: (page, pages) => ({
        columns: [{ text: printable(foot) }, { text: `${page} / ${pages}`, alignment: 'right' }],
        margin: [40, 14, 40, 0],
        fontSize: 7.5,
        color: '#5b6975',
      }),
    };
    return { bytes: new Uint8Array(await pdfmake.createPdf(definition).getBuffer()), places };
  };
  let heights: Heights = new Map();
  let laid = await layOut(heights);
  for (let again = 0; again < MOST_PASSES; again += 1) {
    await progress?.({ what: 'Laying out the report', unit: 'pass', done: again + 1, of: MOST_PASSES });
    const lower = lowerFigures(parts, laid.places, heights);
    if (!lower) break;
    heights = lower;
    laid = await layOut(heights);
  }
  return laid.bytes;
}

/** Position of a mark. */
interface Place {
  readonly pageNumber: number;
  readonly top: number;
  readonly pageInnerHeight: number;
}
type Places = Map<string, Place>;

/** Points above and below the printed area. */
const MARGIN = 44;
/** Empty points at the bottom of a page that are acceptable. */
const SMALL_GAP = 90;
/** More than rounding errors. */
const SPARE = 2;

/**
 * Heights with which the first part that left the bottom of a page empty fits there: its picture and those above it on the page are scaled
 * down proportionally. Undefined if no gap can be closed in this way.
 */
function lowerFigures(parts: readonly Part[], places: Places, heights: Heights): Heights | undefined {
  const pictures = parts.flatMap((part, index) => {
    const figure = figureOf(part);
    const [before, after] = [places.get(`before ${index}`), places.get(`after ${index}`)];
    if (!figure || !before || !after) return [];
    const height = heights.get(index) ?? figure.height;
    // A mark alone may have moved to the next page.
    const moved = after.pageNumber > before.pageNumber && after.top - MARGIN > SMALL_GAP;
    return [{ index, before, after, moved, height, slack: Math.max(0, height - figure.least) }];
  });
  for (const [at, picture] of pictures.entries()) {
    const gap = MARGIN + picture.before.pageInnerHeight - picture.before.top;
    if (!picture.moved || gap < SMALL_GAP) continue;
    const above = pictures
      .slice(0, at)
      .filter(({ moved, before, after }) => (moved ? after : before).pageNumber === picture.before.pageNumber);
    const lowered = [...above, picture];
    const needed = picture.after.top - MARGIN - gap + SPARE;
    const slack = lowered.reduce((sum, each) => sum + each.slack, 0);
    if (needed > slack) continue;
    return new Map([
      ...heights,
      ...lowered.map(({ index, height, slack: own }) => [index, height - (needed * own) / slack] as const),
    ]);
  }
  return undefined;
}
