import path from 'node:path';
import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isParenthesizedExpression,
  isPropertyAccessExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import type { Complaint } from './project.ts';

/**
 * Floating promises: if one fails, the process ends, or the failure is lost. Asks the compiler itself for the type of each statement. Biome's rule
 * infers types on its own and misses those that follow from a schema, which is every call of the contract.
 */
export function checkPromises(root: string, config: string): Complaint[] {
  const api = new API({ cwd: root });
  try {
    const file = path.join(root, config);
    const project = api.updateSnapshot({ openProjects: [file] }).getProject(file);
    if (!project) throw new Error(`TypeScript cannot open ${config}.`);
    return sourcesOf(project, root).flatMap((source) => floatingIn(source, project.checker, root));
  } finally {
    api.close();
  }
}

function sourcesOf({ program, rootFiles }: Project, root: string): SourceFile[] {
  return rootFiles
    .filter((file) => file.startsWith(root) && !file.endsWith('.d.ts'))
    .map((file) => program.getSourceFile(file))
    .filter((source) => source !== undefined);
}

function floatingIn(source: SourceFile, checker: Checker, root: string): Complaint[] {
  const values = droppedValues(source);
  if (values.length === 0) return [];
  const types = checker.getTypeAtLocation(values);
  const isPending = pendingTypes(checker);
  return values
    .filter((_, index) => isPending(types[index]))
    .map((value) => ({
      file: path.relative(root, source.fileName).split(path.sep).join('/'),
      line: source.getLineAndCharacterOfPosition(value.getStart(source)).line + 1,
      text: 'leaves a promise floating: await it, return it, or say what happens when it fails (.catch)',
    }));
}

/** Expression statements, except those that handle their own failure. */
function droppedValues(source: SourceFile): Expression[] {
  const found: Expression[] = [];
  const take = (value: Expression): void => {
    if (isParenthesizedExpression(value)) take(value.expression);
    else if (isConditionalExpression(value)) for (const branch of [value.whenTrue, value.whenFalse]) take(branch);
    else if (isBinaryExpression(value)) {
      if (PASSES_ON.has(value.operatorToken.kind)) take(value.right);
    } else if (!IS_USED.has(value.kind) && !answersFailure(value)) found.push(value);
  };
  const visit = (node: Node): void => {
    if (isExpressionStatement(node)) take(node.expression);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

/** `a && b`, `a || b`, `a ?? b`, and `a, b` have the type of `b`. */
const PASSES_ON: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.CommaToken,
]);
const IS_USED: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.AwaitExpression, SyntaxKind.VoidExpression]);

/** `.catch(…)`, `.then(…, …)`, and either of them before a `.finally(…)`. */
function answersFailure(value: Expression): boolean {
  if (!isCallExpression(value) || !isPropertyAccessExpression(value.expression)) return false;
  const { name, expression } = value.expression;
  if (name.text === 'catch') return value.arguments.length > 0;
  if (name.text === 'then') return value.arguments.length > 1;
  return name.text === 'finally' && answersFailure(expression);
}

/** Whether a type is a promise, may be one, or is a list of them. Types repeat, and each query goes to another process. */
function pendingTypes(checker: Checker): (type: Type | undefined) => boolean {
  const known = new Map<number, boolean>();
  const look = (type: Type): boolean => {
    if (type.isUnionType()) return type.getTypes().some(isPending);
    if (!type.isObjectType()) return false;
    if (checker.isArrayType(type)) return type.isTypeReference() && checker.getTypeArguments(type).some(isPending);
    return checker.getPropertyOfType(type, 'then') !== undefined;
  };
  const isPending = (type: Type | undefined): boolean => {
    if (!type) return false;
    const answer = known.get(type.id) ?? look(type);
    known.set(type.id, answer);
    return answer;
  };
  return isPending;
}
