import { describe, expect, it } from 'vitest';
import { type LuaScript, readLua } from './lua-script.ts';

function scriptOf(text: string): LuaScript {
  const read = readLua(text);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}
const luaOptions = (text: string) => scriptOf(text).options;

describe('options of a Lua script', () => {
  it('are read with every kind of value, in any notation', () => {
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

  it('are read if added one by one', () => {
    const options = luaOptions(`
      require("oltp_common")
      sysbench.cmdline.options.random_points = {"Points", 10}
      sysbench.cmdline.options["other"] = {"Other", "x"}
      if sysbench.cmdline.options.other[2] == "x" then print(sysbench.cmdline.options) end
    `);
    expect(options.map(({ name }) => name)).toEqual(['random_points', 'other']);
  });

  it('that are computed have no default and do not affect the others', () => {
    const options = luaOptions(`
      local function half(n) return n / 2 end
      sysbench.cmdline.options = {
        computed = {"Sum", half(({1, 2})[1]) + 3},
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

  it('are empty for other tables', () => {
    for (const text of ['', 'sysbench.cmdline.options = make()', 'x.options = {a = {"A", 1}}', 'sysbench.cmdline = 1'])
      expect(luaOptions(text)).toEqual([]);
  });

  it('are overridden by later assignments', () => {
    const options = luaOptions(`
      sysbench.cmdline.options = { a = {"A", 1}, ["__proto__"] = {"B", 2} }
      sysbench.cmdline.options.a = {"Another", 3}
      sysbench.cmdline.options.a[2] = 4
    `);
    expect(options.map(({ name, default: preset }) => [name, preset])).toEqual([
      ['a', 3],
      ['__proto__', 2],
    ]);
  });
});

describe('a script from before sysbench 1.0', () => {
  it('has its globals with a default as options', () => {
    const { options } = scriptOf(`
      size = size or 10
      depth = tonumber(depth) or -1.5
      local words = words or "a b"
      plain = plain or other or 7
      size = size or 20
      computed = computed or size * 2
      unlike = size or 3
    `);
    expect(options.map(({ name, default: preset }) => [name, preset])).toEqual([
      ['size', 10],
      ['depth', -1.5],
      ['words', 'a b'],
      ['plain', undefined],
      ['computed', undefined],
    ]);
  });

  it('uses the globals that it names, or any with other files', () => {
    const { reads } = scriptOf('function event() local t = { key = rows } db_query(t.field) goto over ::over:: end');
    expect(['rows', 'db_query', 'key', 'field', 'over', 'function'].filter(reads)).toEqual(['rows', 'db_query']);
    expect(scriptOf('dofile("common.lua")').reads('anything')).toBe(true);
    expect(scriptOf('rows = sysbench.cmdline.options.rows require("other")').reads('rows')).toBe(false);
  });
});

it('recognizes a script based on oltp_common', () => {
  const builds = (text: string): boolean => scriptOf(text).usesOltpCommon;
  expect(builds('require("oltp_common")')).toBe(true);
  expect(builds(`require 'oltp_common'`)).toBe(true);
  expect(builds('local found = pcall(require, "oltp_common")')).toBe(true);
  expect(builds('-- require("oltp_common")\nrequire("other")')).toBe(false);
});

it('reads LuaJIT extensions of Lua 5.1, and text in any language', () => {
  const text = `\uFEFF#!/usr/bin/env sysbench
    for i = 1, 3 do if i == 2 then goto continue end ::continue:: end
    local large, byte = 0xFFULL, "\\x41\\z
      B"
    sysbench.cmdline.options = { größe = nil, title = {"Größe – 東京", "\\195\\169\\x41", unit = "µs"}, big = {"Big", 5LL} }`;
  expect(readLua(text)).toHaveProperty('problem');
  expect(luaOptions(text.replace('größe', 'size'))).toMatchObject([
    { name: 'title', description: 'Größe – 東京', default: 'éA', words: { unit: 'µs' } },
    { name: 'big', default: 5 },
  ]);
});

describe('invalid Lua', () => {
  it('is reported with its line', () => {
    expect(readLua('function event(\n  con:query(1 2)\nend')).toEqual({ problem: "line 2: ')' expected near ':'" });
    expect(readLua('x = "\\q"')).toEqual({ problem: "line 1: invalid escape sequence near '\\q'" });
  });

  it('is reported at any depth of brackets, and wherever it ends', () => {
    for (const deep of [`x = ${'('.repeat(50_000)}`, `x = ${'{'.repeat(50_000)}`, `x = ${'"a" .. '.repeat(20_000)}"b"`])
      expect(readLua(deep)).toEqual({ problem: 'it is nested too deeply' });
    const text = 'sysbench.cmdline.options = { a = {"A", 1}, b = {"B \\" b", [==[x]==]} } -- end';
    for (let end = 0; end <= text.length; end += 1) expect(() => readLua(text.slice(0, end))).not.toThrow();
    expect(luaOptions(text)).toHaveLength(2);
  });
});
