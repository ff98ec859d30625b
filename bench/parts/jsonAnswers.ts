import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ChatAnswer } from '../../nodes/Chat/formats/answer';
import { answerSchema } from '../../nodes/Chat/json/jsonSchema';
import { parseJsonAnswer } from '../../nodes/Chat/json/parseJsonAnswer';
import { folders } from '../../tools/host/folders';
import type { Part } from '../report';
import { badAnswers, type BadAnswer } from '../subjects/badJson/badAnswers';

type Schema = BadAnswer['schema'];
/** Returns the value in an answer, or throws. */
type Parse = (answer: BadAnswer) => Promise<unknown>;
/** What a parser makes of an answer. `other` matches the schema, and is not what the model meant. */
type Outcome = 'recovered' | 'refused' | 'violating' | 'other';

/** The parts of n8n and its packages that are used here. */
interface ParserNode {
	supplyData(
		this: unknown,
		itemIndex: number,
	): Promise<{ response: { parse(text: string): Promise<unknown> } }>;
}
interface Validators {
	new (options: object): { compile(schema: Schema): (value: unknown) => boolean };
}

const PARSER =
	'@n8n/n8n-nodes-langchain/dist/nodes/output_parser/OutputParserStructured/OutputParserStructured.node.js';

/** What n8n's Structured Output Parser and ours make of the same bad answers. */
export async function measureJsonAnswers(): Promise<Part> {
	const answers = badAnswers();
	const isValid = validator();
	const theirs = await outcomes(answers, parseWithN8n, isValid);
	const ours = await outcomes(answers, parseWithOurs, isValid);
	requireBetter(theirs, ours);
	const faults = [...new Set(answers.map(({ fault }) => fault))];
	const row = (name: string, isCounted: (answer: BadAnswer) => boolean) => {
		const count = (results: Outcome[], outcome: Outcome) =>
			answers.filter((answer, index) => isCounted(answer) && results[index] === outcome).length;
		const counted = answers.filter(isCounted);
		return {
			'what is wrong': name,
			answers: counted.length,
			recoverable: counted.filter(({ meant }) => meant !== undefined).length,
			'recovered, n8n': count(theirs, 'recovered'),
			'recovered, ours': count(ours, 'recovered'),
			'another value, n8n': count(theirs, 'other'),
			'another value, ours': count(ours, 'other'),
			'violates the schema, n8n': count(theirs, 'violating'),
			'violates the schema, ours': count(ours, 'violating'),
		};
	};
	return {
		title: 'Bad JSON answers',
		about:
			'1,000 answers from a fixed seed, for five schemas. n8n\'s Structured Output Parser (version 1.3, without Auto-Fix, which asks the model again) and JSON Schema of Unified AI Chat read the same values with the same faults; n8n\'s parser gets them in the field `output`, as it asks the model for them. "Recoverable" answers contain the whole value; the others are to be refused. "Another value" was accepted and matches the schema, but is not what the model meant. Violations are counted by Ajv.',
		rows: [...faults.map((name) => row(name, ({ fault }) => fault === name)), row('**All**', () => true)],
	};
}

async function outcomes(
	answers: BadAnswer[],
	parse: Parse,
	isValid: (schema: Schema, value: unknown) => boolean,
): Promise<Outcome[]> {
	const results: Outcome[] = [];
	for (const answer of answers) {
		const found = await parse(answer).then(
			(value) => ({ value }),
			() => undefined,
		);
		if (!found) results.push('refused');
		else if (!isValid(answer.schema, found.value)) results.push('violating');
		else results.push(isDeepStrictEqual(found.value, answer.meant) ? 'recovered' : 'other');
	}
	return results;
}

/** @throws Error when our parser does not do better */
function requireBetter(theirs: Outcome[], ours: Outcome[]): void {
	const count = (results: Outcome[], outcome: Outcome) => results.filter((one) => one === outcome).length;
	const [more, fewer] = [count(ours, 'recovered'), count(theirs, 'recovered')];
	if (more <= fewer) throw new Error(`Recovered: ${more} by our parser, ${fewer} by n8n's.`);
	const violating = count(ours, 'violating');
	if (violating > 0) throw new Error(`Our parser accepted ${violating} values that violate the schema.`);
}

const parseWithOurs: Parse = async ({ text, schema }) =>
	await parseJsonAnswer({ text, finishReason: 'stop' } as ChatAnswer, { schema: answerSchema(schema) });

const parseWithN8n: Parse = async ({ wrapped, schema }) => {
	const { response } = await parserOf(schema);
	return ((await response.parse(wrapped)) as { output: unknown }).output;
};

/** n8n's parser as its node supplies it to an agent. */
async function parserOf(schema: Schema) {
	const { OutputParserStructured } = fromN8n<{ OutputParserStructured: new () => ParserNode }>(PARSER);
	const parameters: Record<string, unknown> = {
		schemaType: 'manual',
		inputSchema: JSON.stringify(schema),
		autoFix: false,
	};
	const context = {
		getNode: () => ({ name: 'Structured Output Parser', typeVersion: 1.3 }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => parameters[name] ?? fallback,
		addInputData: () => ({ index: 0 }),
		addOutputData: () => {},
		logAiEvent: () => {},
	};
	return await new OutputParserStructured().supplyData.call(context, 0);
}

function validator(): (schema: Schema, value: unknown) => boolean {
	const { default: Ajv } = fromN8n<{ default: Validators }>('ajv');
	const ajv = new Ajv({ strict: false });
	// It keeps a compiled schema for each object.
	return (schema, value) => ajv.compile(schema)(value);
}

/** A module from the installed n8n. */
function fromN8n<T>(name: string): T {
	const packages = path.join(folders.demo, 'node_modules');
	if (!existsSync(path.join(packages, name))) {
		throw new Error(
			`The n8n in ${packages} has no ${name}. Install it with npm start; other versions of n8n may have it elsewhere.`,
		);
	}
	return createRequire(path.join(folders.demo, 'package.json'))(path.join(packages, name)) as T;
}
