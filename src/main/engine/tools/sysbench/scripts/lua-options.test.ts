import { describe, expect, it } from 'vitest';
import { luaOptions, usesOltpCommon } from './lua-options.ts';

const only = (text: string) => {
  const options = luaOptions(text);
  expect(options).toHaveLength(1);
  return options[0];
};

describe('options of a Lua script', () => {
  it('are read with every kind of value, however they are written', () => {
    const options = luaOptions(`
      -- sysbench.cmdline.options = { wrong = {"in a comment", 1} }
      --[==[ sysbench.cmdline.options = { wrong = {"in a long comment", 1} } ]==]
      sysbench . cmdline.options = {
        tables = {"Number of tables", 1},
        ["table_size"] = { 'Rows; {not a table}, "quoted"', 10000 };
        skip = {"Skip -- or not", false, sysbench.cmdline.ARG_BOOL},
        name = {[[long
text]], "it's\\n\\"so\\"\\065"},
        theta = {"Two " .. "parts", -0.5e1},
        plain = {"No default"},
        size = {"A size", "1M", sysbench.cmdline.ARG_SIZE, title = "Size", choices = { "1M", "2M" }, min = 1},
        list = {"A list", {"a", "b"}},
        hex = {"Hexadecimal", 0x10},
      }
    `);
    expect(options.map(({ name, default: preset }) => [name, preset])).toEqual([
      ['tables', 1],
      ['table_size', 10000],
      ['skip', false],
      ['name', `it's\n"so"A`],
      ['theta', -5],
      ['plain', undefined],
      ['size', '1M'],
      ['list', 'a,b'],
      ['hex', 16],
    ]);
    expect(options[1]?.description).toBe('Rows; {not a table}, "quoted"');
    expect(options[3]?.description).toBe('long\ntext');
    expect(options[4]?.description).toBe('Two parts');
    expect(options[6]?.words).toEqual({ title: 'Size', choices: { list: ['1M', '2M'], fields: {} }, min: 1 });
  });

  it('are read where they are added one by one', () => {
    const options = luaOptions(`
      require("oltp_common")
      sysbench.cmdline.options.random_points = {"Points", 10}
      sysbench.cmdline.options["other"] = {"Other", "x"}
      if sysbench.cmdline.options.other[2] == "x" then print(sysbench.cmdline.options) end
    `);
    expect(options.map(({ name }) => name)).toEqual(['random_points', 'other']);
  });

  it('that are computed have no default, and harm none of the others', () => {
    const options = luaOptions(`
      local function half(n) return n / 2 end
      sysbench.cmdline.options = {
        computed = {"Sum", half({1, 2}[1]) + 3},
        late = {"Function", (function() if true then return {1, 2} end end)()},
        check = {"Checked", 5, nil, function(name, value) return value ~= "}" end},
        last = {"Last", 7},
      }`);
    expect(options.map(({ name, default: preset }) => [name, preset])).toEqual([
      ['computed', undefined],
      ['late', undefined],
      ['check', 5],
      ['last', 7],
    ]);
  });

  it('are as many as there are whole ones, in a text that ends anywhere', () => {
    const text = 'sysbench.cmdline.options = { a = {"A", 1}, b = {"B \\" b", [==[x]==]} } -- end';
    for (let end = 0; end <= text.length; end += 1) expect(luaOptions(text.slice(0, end)).length).toBeLessThan(3);
    expect(luaOptions(text)).toHaveLength(2);
    expect(only('sysbench.cmdline.options = { a = {"A", 1}, b')?.name).toBe('a');
  });

  it('are none in what is no such table', () => {
    for (const text of ['', 'sysbench.cmdline.options = make()', 'x.options = {a = {"A", 1}}', '\u0000]]}{', '[[', '"'])
      expect(luaOptions(text)).toEqual([]);
  });
});

it('knows a script that builds on oltp_common', () => {
  expect(usesOltpCommon('require("oltp_common")')).toBe(true);
  expect(usesOltpCommon(`require 'oltp_common'`)).toBe(true);
  expect(usesOltpCommon('-- require("oltp_common")\nrequire("other")')).toBe(false);
});
