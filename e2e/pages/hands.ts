import { expect, type Locator, type Page } from '@playwright/test';

/** How a user operates a page: the actions are the same with each input device. */
export interface Hand {
  /** Clicks or keys used so far. */
  readonly strokes: number;
  press(what: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Picks an option of a select. */
  choose(select: Locator, option: RegExp): Promise<void>;
  /** Picks an entry of a button's menu. */
  pick(button: Locator, entry: RegExp): Promise<void>;
}

/** Clicks; text is typed. */
export function mouse(page: Page): Hand {
  let strokes = 0;
  const press = async (what: Locator): Promise<void> => {
    strokes += 1;
    await what.click();
  };
  return {
    get strokes() {
      return strokes;
    },
    press,
    async write(field, text) {
      await press(field);
      await field.fill(text);
    },
    async choose(select, option) {
      await press(select);
      await press(page.getByRole('option', { name: option }).first());
    },
    async pick(button, entry) {
      await press(button);
      await press(page.getByRole('menuitem', { name: entry }).first());
    },
  };
}

/** Maximum stops from one element to the next: more would be unusable. */
const STOPS = 80;

/** Keys only: Tab to the element, Enter, arrows in lists. The focus must be visible at each stop. */
export function keyboard(page: Page): Hand {
  let strokes = 0;
  const key = async (name: string): Promise<void> => {
    strokes += 1;
    await page.keyboard.press(name);
  };
  const has = (what: Locator): Promise<boolean> => what.evaluate((element) => element === document.activeElement);
  const reach = async (what: Locator, by: string): Promise<void> => {
    await expect(what).toBeVisible();
    for (let step = 0; step < STOPS; step++) {
      if (await has(what)) return;
      await key(by);
      if (await focusIsSeen(page)) continue;
      await expect.poll(() => focusIsSeen(page), `focus on ${await focused(page)}`).toBe(true);
    }
    throw new Error(`${by} does not lead to ${what}; it led to ${await focused(page)}.`);
  };
  return {
    get strokes() {
      return strokes;
    },
    async press(what) {
      await reach(what.first(), 'Tab');
      const box = await what.first().evaluate((element) => element.matches('input[type=checkbox], input[type=radio]'));
      await key(box ? 'Space' : 'Enter');
    },
    async write(field, text) {
      await reach(field, 'Tab');
      await key('Control+a');
      strokes += text.length;
      await page.keyboard.type(text);
    },
    async choose(select, option) {
      await reach(select, 'Tab');
      await key('ArrowDown');
      const wanted = page.getByRole('option', { name: option }).first();
      await expect(wanted).toBeVisible();
      for (let step = 0; step < STOPS; step++) {
        const id = await select.getAttribute('aria-activedescendant');
        if (id !== null && id === (await wanted.getAttribute('id'))) break;
        await key('ArrowDown');
      }
      await key('Enter');
      await expect(wanted).toBeHidden();
    },
    async pick(button, entry) {
      await reach(button, 'Tab');
      await key('Enter');
      // Until the menu has the focus, arrows scroll the page, and a menu closes when its button is scrolled out of view.
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') != null)).toBe(true);
      await reach(page.getByRole('menuitem', { name: entry }).first(), 'ArrowDown');
      await key('Enter');
    },
  };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? 'nothing');

/** Whether the focus is visible: the element, a box around it or its label differs from its twin without the focus. */
const focusIsSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const look = (element: Element): string => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
        getComputedStyle(element);
      const outline = outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`;
      return [outline, boxShadow, borderColor, backgroundColor].join('; ');
    };
    const differs = (element: Element): boolean => {
      const twin = element.cloneNode(false) as Element;
      twin.removeAttribute('id');
      element.after(twin);
      const other = look(twin);
      twin.remove();
      return look(element) !== other;
    };
    const element = document.activeElement;
    if (!element || element === document.body) return true;
    const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`) : null;
    const boxes = [
      element.parentElement,
      element.parentElement?.parentElement,
      element.closest('[class*=Input-input]'),
    ];
    return [element, ...boxes, label].some((each) => each != null && differs(each));
  });
