import { expect, type Page } from '@playwright/test';
import { choose } from './controls.ts';
import { frame } from './frame.ts';

type Step = 'Workload' | 'Where' | 'Matrix' | 'Measurement' | 'Review';

/** An experiment in its five steps, or as text. */
export const editorPage = (page: Page) => {
  const plan = page.getByRole('complementary', { name: 'Plan' });
  const yaml = page.getByRole('textbox', { name: 'Document as YAML' });
  return {
    plan,
    yaml,
    /**
     * Replaces the existing text, like a paste. Text inserted by Playwright goes through an editing command of the browser, which tries to style
     * the new lines, and the content policy blocks that.
     */
    async write(text: string): Promise<void> {
      await yaml.focus();
      await page.keyboard.press('Control+a');
      await yaml.evaluate((area, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    },
    /** Text of the text view: an editor draws the visible lines and some around them, which is all of a short document. */
    text: () =>
      yaml.evaluate((area) => [...area.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n')),
    /** First line of the text view's selection, from 1. */
    chosenLine: () =>
      yaml.evaluate((area) => {
        const place = getSelection()?.getRangeAt(0).startContainer ?? null;
        return [...area.querySelectorAll('.cm-line')].findIndex((line) => line.contains(place)) + 1;
      }),
    problems: page.getByRole('list', { name: 'Problems' }),
    start: page.getByRole('button', { name: 'Start', exact: true }),
    /** Begins with a blank experiment for a tool. */
    async blank(tool: RegExp): Promise<void> {
      await frame(page).go('Experiments');
      await page.getByRole('button', { name: 'Blank experiment' }).click();
      await page.getByRole('menuitem', { name: tool }).click();
      await expect(plan).toBeVisible();
    },
    name: page.getByRole('textbox', { name: 'Name of the experiment' }),
    step: (step: Step) =>
      page
        .getByRole('navigation', { name: 'Steps' })
        .getByRole('link', { name: new RegExp(`${step}`) })
        .click(),
    view: (view: 'Steps' | 'YAML') =>
      page.getByRole('radiogroup', { name: 'View' }).getByText(view, { exact: true }).click(),
    /** Shows the options of a collapsed group. */
    unfold: (group: string) => page.getByRole('button', { name: new RegExp(`^${group}\\s*\\d+`) }).click(),
    option: (title: string) => page.getByRole('textbox', { name: title, exact: true }),
    pick: (list: 'Generator' | 'Target', name: string) =>
      page.getByRole('radiogroup', { name: list }).getByRole('radio', { name, exact: true }).check(),
    /** Searches for something to vary. */
    vary: page.getByRole('combobox', { name: 'What do you want to vary?' }),
    /** Input of the levels of a new factor. */
    newLevels: (factor: string) => page.getByRole('textbox', { name: `Levels of ${factor}` }),
    /** Varies an option of the tool; levels are separated by commas. */
    async addFactor(option: string, levels: string): Promise<void> {
      await choose(page, 'What do you want to vary?', new RegExp(`\\(${option}\\)`));
      await page.getByRole('textbox', { name: `Levels of ${option}` }).fill(levels);
      await page.keyboard.press('Enter');
    },
    /** Dialog with a factor's other fields and the settings of its levels. */
    factorPanel: page.getByRole('dialog'),
    grid: page.getByRole('grid', { name: 'Cells of the matrix' }),
    cell: (levels: string) => page.getByRole('gridcell', { name: new RegExp(`^${levels}: cell`) }),
    /** Cells that are measured. */
    measured: page.getByRole('gridcell', { name: /: cell \d+/ }),
    async save(): Promise<void> {
      await page.getByRole('button', { name: /^Save/ }).click();
      await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    },
    /** Lines of the preflight once it has checked everything: title and state. */
    async preflight(): Promise<string | null> {
      const panel = page.getByRole('region', { name: 'Preflight' });
      await expect(panel.getByRole('button', { name: 'Check again' })).toBeEnabled({ timeout: 60_000 });
      return panel.textContent();
    },
  };
};
