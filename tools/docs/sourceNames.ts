import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Finds out what the names in the source refer to, also across files, without running it. */

/** The arguments of the function calls that are being followed, by parameter. */
export type Scope = ReadonlyMap<ts.ParameterDeclaration, Value>;

/** An expression or function, and the arguments that its names refer to. */
export interface Value {
	node: ts.Expression | ts.FunctionDeclaration;
	scope: Scope;
}

/** How many names, spreads, and calls are followed in a row. */
const MAX_DEPTH = 12;

const parsedFiles = new Map<string, ts.SourceFile>();

/** The syntax tree of a TypeScript file; each file is read once. @param file absolute */
export function parse(file: string): ts.SourceFile {
	const known = parsedFiles.get(file);
	if (known) return known;
	const parsed = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	parsedFiles.set(file, parsed);
	return parsed;
}

/** The arguments that a call gives to the parameters of a function. */
export function scopeOfCall(
	{ parameters }: ts.SignatureDeclarationBase,
	args: readonly ts.Expression[],
	outer: Scope,
): Scope {
	const entries = parameters.flatMap((parameter, index): Array<[ts.ParameterDeclaration, Value]> => {
		const argument = args[index] as ts.Expression | undefined;
		if (argument) return [[parameter, { node: argument, scope: outer }]];
		return parameter.initializer ? [[parameter, { node: parameter.initializer, scope: outer }]] : [];
	});
	return new Map([...outer, ...entries]);
}

/** The function that a call leads to; undefined for methods and for functions of other packages. */
export function functionOf(called: ts.Expression, scope: Scope): FunctionNode | undefined {
	if (!ts.isIdentifier(called)) return undefined;
	const node = meaningOf({ node: called, scope })?.node;
	return node && (ts.isFunctionDeclaration(node) || ts.isArrowFunction(node)) ? node : undefined;
}

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction;

/** A property of an object that is written in the source, also through names, spreads and functions that return it. */
export function propertyOf(value: Value | undefined, name: string, depth = 0): Value | undefined {
	if (value === undefined || depth > MAX_DEPTH || ts.isFunctionDeclaration(value.node)) return undefined;
	const { node, scope } = value;
	const inner = (next: Value | undefined) => propertyOf(next, name, depth + 1);
	if (isWrapper(node)) return inner({ node: node.expression, scope });
	if (ts.isObjectLiteralExpression(node)) {
		for (const property of [...node.properties].reverse()) {
			if (ts.isSpreadAssignment(property)) {
				const found = inner({ node: property.expression, scope });
				if (found) return found;
			} else if (property.name?.getText() === name) {
				if (ts.isPropertyAssignment(property)) return { node: property.initializer, scope };
				return ts.isShorthandPropertyAssignment(property) ? { node: property.name, scope } : undefined;
			}
		}
		return undefined;
	}
	if (ts.isCallExpression(node)) {
		const made = functionOf(node.expression, scope);
		const [returned] = made ? returnsOf(made) : [];
		return made && returned
			? inner({ node: returned, scope: scopeOfCall(made, node.arguments, scope) })
			: undefined;
	}
	return inner(meaningOf(value));
}

/** The expressions that a function returns, without those of functions inside it. */
export function returnsOf({ body }: FunctionNode): ts.Expression[] {
	if (body === undefined) return [];
	if (!ts.isBlock(body)) return [body];
	const found: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node)) return;
		if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
		ts.forEachChild(node, visit);
	};
	visit(body);
	return found;
}

/** What a name or `object.property` refers to. */
export function meaningOf({ node, scope }: Value): Value | undefined {
	if (ts.isPropertyAccessExpression(node)) {
		return propertyOf({ node: node.expression, scope }, node.name.text);
	}
	return ts.isIdentifier(node) ? declarationOf(node, scope) : undefined;
}

function declarationOf(name: ts.Identifier, scope: Scope): Value | undefined {
	for (let place: ts.Node = name.parent; place; place = place.parent) {
		const owner = ts.isFunctionLike(place)
			? place.parameters.find((parameter) => bindingOf(parameter.name, name.text))
			: undefined;
		if (owner) return boundValue(owner.name, name.text, scope.get(owner));
		if (!ts.isBlock(place) && !ts.isSourceFile(place)) continue;
		const found = declaredIn(place, name.text, scope);
		if (found) return found === 'unknown' ? undefined : found;
	}
	return importedValue(name.getSourceFile(), name.text, scope);
}

function declaredIn(
	place: ts.Block | ts.SourceFile,
	name: string,
	scope: Scope,
): Value | 'unknown' | undefined {
	for (const statement of place.statements) {
		if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) {
			return { node: statement, scope };
		}
		if (!ts.isVariableStatement(statement)) continue;
		const declarations = statement.declarationList.declarations;
		const found = declarations.find((declaration) => bindingOf(declaration.name, name));
		if (!found) continue;
		const value = found.initializer && { node: found.initializer, scope };
		return boundValue(found.name, name, value) ?? 'unknown';
	}
	return undefined;
}

/** What a name stands for that is bound to a value, either as a whole or to one of its properties. */
function boundValue(binding: ts.BindingName, name: string, value: Value | undefined): Value | undefined {
	if (ts.isIdentifier(binding)) return value;
	const element = bindingOf(binding, name);
	if (!ts.isObjectBindingPattern(binding) || !element || !ts.isBindingElement(element)) return undefined;
	return propertyOf(value, element.propertyName?.getText() ?? name);
}

/** Where a name is bound; undefined when it is not bound here. */
function bindingOf(binding: ts.BindingName, name: string): ts.Node | undefined {
	if (ts.isIdentifier(binding)) return binding.text === name ? binding : undefined;
	return binding.elements.find(
		(element) => ts.isBindingElement(element) && bindingOf(element.name, name) !== undefined,
	);
}

function importedValue(source: ts.SourceFile, name: string, scope: Scope): Value | undefined {
	for (const statement of source.statements) {
		if (!ts.isImportDeclaration(statement)) continue;
		const bindings = statement.importClause?.namedBindings;
		if (!bindings || !ts.isNamedImports(bindings)) continue;
		const found = bindings.elements.find((element) => element.name.text === name);
		if (found)
			return exportOf(source, statement.moduleSpecifier, (found.propertyName ?? found.name).text, scope);
	}
	return undefined;
}

function exportOf(
	source: ts.SourceFile,
	specifier: ts.Expression,
	name: string,
	scope: Scope,
): Value | undefined {
	const file = ts.isStringLiteral(specifier) ? fileOf(source.fileName, specifier.text) : undefined;
	if (!file) return undefined;
	const target = parse(file);
	const found = declaredIn(target, name, scope);
	if (found) return found === 'unknown' ? undefined : found;
	for (const statement of target.statements) {
		if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
		const passedOn = exportOf(target, statement.moduleSpecifier, name, scope);
		if (passedOn) return passedOn;
	}
	return undefined;
}

/** The file of a relative import. */
function fileOf(from: string, specifier: string): string | undefined {
	if (!specifier.startsWith('.')) return undefined;
	const base = path.resolve(path.dirname(from), specifier);
	return [`${base}.ts`, path.join(base, 'index.ts')].find((file) => existsSync(file));
}

/** Whether an expression only wraps another one, which has the same value. */
export function isWrapper(
	node: ts.Node,
): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression {
	return (
		ts.isParenthesizedExpression(node) ||
		ts.isAsExpression(node) ||
		ts.isSatisfiesExpression(node) ||
		ts.isNonNullExpression(node)
	);
}
