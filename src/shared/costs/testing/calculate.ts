/** Evaluates an expression of numbers, known names, + - * /, brackets, min and max: the language of the worked examples. */
export function calculate(expression: string, known: Readonly<Record<string, number>>): number {
  const tokens = expression.match(/[\d.]+|[A-Za-z_]\w*|[-+*/(),]/g) ?? [];
  let at = 0;
  const take = (): string => tokens[at++] ?? '';
  const expect = (token: string): void => {
    const found = take();
    if (found !== token) throw new Error(`Expected ${token} instead of ${found} in ${expression}.`);
  };
  const argumentsOf = (): number[] => {
    expect('(');
    const values = [sum()];
    while (tokens[at] === ',') {
      take();
      values.push(sum());
    }
    expect(')');
    return values;
  };
  const value = (): number => {
    const token = take();
    if (token === '-') return -value();
    if (token === '(') {
      const inner = sum();
      expect(')');
      return inner;
    }
    if (/^[\d.]/.test(token)) return Number(token);
    if (token === 'min') return Math.min(...argumentsOf());
    if (token === 'max') return Math.max(...argumentsOf());
    const named = known[token];
    if (named === undefined) throw new Error(`${token} is not known in ${expression}.`);
    return named;
  };
  const product = (): number => {
    let result = value();
    while (tokens[at] === '*' || tokens[at] === '/') result = take() === '*' ? result * value() : result / value();
    return result;
  };
  const sum = (): number => {
    let result = product();
    while (tokens[at] === '+' || tokens[at] === '-') result = take() === '+' ? result + product() : result - product();
    return result;
  };
  const result = sum();
  if (at !== tokens.length) throw new Error(`${expression} goes on after its end.`);
  return result;
}
