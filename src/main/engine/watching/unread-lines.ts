/** Lines and samples that are looked at together: what was long ago counts less and less. */
const WINDOW = 120;
const MANY = 10;

const WORDS = 'Many lines of its output cannot be parsed, so values are missing.';

/** Says so while more lines of a monitor cannot be read than become samples. To be told how many of both have come. */
export function unreadLines(
  problem: (message: string | undefined, how?: 'in part') => void,
): (rows: number, unread: number) => void {
  let [rows, unread] = [0, 0];
  let isTold = false;
  return (newRows, newUnread) => {
    rows += newRows;
    unread += newUnread;
    while (rows + unread > WINDOW) [rows, unread] = [rows / 2, unread / 2];
    const isMany = unread >= MANY && unread > rows;
    if (isMany === isTold) return;
    isTold = isMany;
    if (isMany) problem(WORDS, 'in part');
    else problem(undefined);
  };
}
