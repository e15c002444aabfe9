/** Something the present screen can do. */
export interface ScreenAction {
  label: string;
  do: () => void;
}

const OFFERED = 'button:not(:disabled, [data-disabled]), [role=tab]:not(:disabled)';
/** What acts on one row, one entry of a list, one picture or one field only makes sense beside it. */
const WITHIN_A_PIECE = 'table, figure, form, pre, li, [role=radiogroup], [role=listbox], [role=grid], .kp-code';

/**
 * What the present screen offers, by the words a person reads there. Read from the page itself, so that no screen has to say it twice
 * and what is disabled now is left out.
 */
export function screenActions(root: ParentNode): ScreenAction[] {
  const actions = [...root.querySelectorAll<HTMLElement>(OFFERED)]
    .filter((element) => element.closest(WITHIN_A_PIECE) === null)
    .map((element) => ({
      label: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      do: () => {
        element.focus();
        element.click();
      },
    }));
  return actions.filter(
    ({ label }, index) => label !== '' && actions.findIndex((other) => other.label === label) === index,
  );
}
