import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';
import { builderType } from '../../verify/builderTypes';

const project = path.resolve(__dirname, '../../..');
const sdkTypes = path.join(project, 'node_modules/@n8n/workflow-sdk/dist/index');

/** Where the typed SDK seems to be. */
const typedSdk = path.join(project, 'examples/typedSdk.d.ts');

/** Functions of the SDK that take a node. */
const nodeFunctions = ['node', 'languageModel', 'embedding', 'tool'];

/**
 * The declarations of the SDK, with the types that n8n's AI builder makes of our nodes in place of "any parameters". A
 * string is no expression there, so that values of options are checked.
 *
 * These types are flat: they demand the fields of all operations at once, for n8n's own nodes, too. What an operation
 * requires is therefore left to n8n's own check of parameters.
 */
function declarationsOf(descriptions: INodeTypeDescription[], packageName: string): string {
	const types = descriptions.map((description) => builderType(description, packageName));
	const parameters = types.map((type) => {
		const [, nodeType] = /type: '([^']+)';\n\s*version/.exec(type)!;
		const [, name] = /NodeConfig<(\w+)>/.exec(type)!;
		return `'${nodeType}': Partial<${name}>;`;
	});
	return `
export * from '${sdkTypes}';
import type * as sdk from '${sdkTypes}';
type IDataObject = sdk.IDataObject;
type NodeConfig<P> = Omit<sdk.NodeConfig, 'parameters'> & { parameters?: P };
type CredentialReference = sdk.CredentialReference | sdk.NewCredentialValue;
interface Expression<T> { readonly value: T }
${types.join('\n')}
interface Own { ${parameters.join('\n')} }
interface OfTools { descriptionType?: 'auto' | 'manual'; toolDescription?: string }
type Parameters<T> = T extends keyof Own ? Own[T]
	: T extends \`\${infer Base}Tool\` ? Base extends keyof Own ? Own[Base] & OfTools : OfOthers<T>
	: OfOthers<T>;
type OfOthers<T> = T extends \`${packageName}.\${string}\` ? never : IDataObject;
type Version<T> = T extends \`${packageName}.\${string}\` ? 1 : number;
interface Input<T> { type: T; version: Version<T>; config?: NodeConfig<Parameters<T>> }
${nodeFunctions.map((name) => `export declare function ${name}<T extends string>(input: Input<T>): ReturnType<typeof sdk.${name}>;`).join('\n')}
export declare function expr(code: string): string & Expression<any>;
export declare function fromAi(...call: Parameters_<typeof sdk.fromAi>): string & Expression<any>;
type Parameters_<F> = F extends (...call: infer P) => unknown ? P : never;
`;
}

/**
 * Checks workflows in code against the types of the nodes.
 *
 * @param sources code by absolute path
 * @returns what TypeScript finds, as "file:line message"
 */
export function typeErrors(
	sources: Record<string, string>,
	descriptions: INodeTypeDescription[],
	packageName: string,
): string[] {
	const texts: Record<string, string> = { ...sources, [typedSdk]: declarationsOf(descriptions, packageName) };
	const options: ts.CompilerOptions = {
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.Node16,
		moduleResolution: ts.ModuleResolutionKind.Node16,
		types: [],
		paths: { '@n8n/workflow-sdk': [typedSdk] },
	};
	const host = ts.createCompilerHost(options);
	const program = ts.createProgram(Object.keys(texts), options, {
		...host,
		fileExists: (file) => file in texts || existsSync(file),
		readFile: (file) => texts[file] ?? readFileSync(file, 'utf8'),
		getSourceFile: (file, language) =>
			file in texts ? ts.createSourceFile(file, texts[file], language) : host.getSourceFile(file, language),
	});
	return Object.keys(texts).flatMap((file) => {
		const source = program.getSourceFile(file);
		const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
		return found.map(({ start, messageText }) => {
			const line = source!.getLineAndCharacterOfPosition(start ?? 0).line + 1;
			return `${path.basename(file)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
		});
	});
}
