import type {
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import { groupBy } from '../../../nodes/shared/plain/values';
import { wavSample } from '../VoiceModel/voiceSamples';
import { chosen } from '../engine/chosen';
import { runSubNode } from '../engine/runSubNode';
import { nodeTypes } from '../engine/nodeTypes';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from '../faults/fastClock';
import { type Place, placesIn } from './everyParameter';
import { everyNode, inputOf, isMainNode, nameOf } from './everyNode';

/**
 * Every parameter of every node, with what the rows of a spreadsheet contain: it is read in the one way that
 * `unit/shared/parameters.test.ts` tries with all spellings.
 */

/** A parameter in a node that sets it. */
interface Case extends Place {
	name: string;
	type: string;
	parameters: INodeParameters;
}

/** Parameters that other settings of every node here overrule, so that they are not read. */
const OVERRULED = [
	// n8n itself misses the fields that it shows.
	'music generate ownLyrics',
	// The text is sent as it is.
	'speech create options.partLength',
];

const isOfOther = ({ property: { name, displayOptions } }: Place, operation: string) =>
	['resource', 'operation'].includes(name) ||
	displayOptions?.show?.operation?.includes(operation) === false ||
	displayOptions?.hide?.operation?.includes(operation) === true;

const all = everyNode()
	.flatMap(({ type, parameters }): Case[] => {
		const node = type.split('.')[1];
		// The utilities share their fields.
		const operation = node === 'utilities' ? '' : nameOf(parameters.operation);
		const places = placesIn(nodeTypes[type].description.properties, parameters);
		return places
			.filter((place) => !isOfOther(place, nameOf(parameters.operation)))
			.map((place) => {
				const name = [node, operation, place.path].filter((part) => part !== '').join(' ');
				return { ...place, name, type, parameters };
			});
	})
	.filter(({ name }) => !OVERRULED.includes(name));

/** The nodes that set each parameter; with other settings, some of them do not read it. */
const casesOf = (isWanted: (property: INodeProperties) => boolean) =>
	groupBy(
		all.filter(({ property }) => isWanted(property)),
		({ name }) => name,
	).map((cases) => ({ name: cases[0].name, cases }));

/** Parameters with another value at a path, in each entry of a list on the way. */
function changed(values: INodeParameters, path: string, value: NodeParameterValueType): INodeParameters {
	const [name, ...rest] = path.split('.');
	if (rest.length === 0) return { ...values, [name]: value };
	const inner = values[name] as INodeParameters | INodeParameters[] | undefined;
	if (inner === undefined) return values;
	const deeper = (one: INodeParameters) => changed(one, rest.join('.'), value);
	return { ...values, [name]: Array.isArray(inner) ? inner.map(deeper) : deeper(inner) };
}

useFastClock(100);
const gateway = useEmulator();

/** Runs a node with this value in a parameter. @returns the messages of the failures of its items */
async function messagesWith({ type, path, parameters }: Case, value: string, times = 1): Promise<string[]> {
	const all = changed(parameters, path, value);
	const name = type.split('.')[1];
	gateway.reset();
	gateway.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	const credential = gateway.credential();
	if (!isMainNode(type)) {
		const use = async () => await Promise.resolve();
		const { error } = await runSubNode(name as Parameters<typeof runSubNode>[0], all, use, { credential });
		return error ? [error.message] : [];
	}
	const input = Array.from({ length: times }, () => inputOf(name, all, gateway.emulator)).flat();
	const { items, error } = await runWorkflow(oneNode(name, all, { onError: 'continueRegularOutput' }), {
		credential,
		input,
	});
	const failed = items.flatMap(({ json }: INodeExecutionData) =>
		json.details ? [json.error as string] : [],
	);
	return error ? [error.message, ...failed] : failed;
}

/** The value is refused, before anything is sent, wherever it is read. */
async function expectRefused(cases: Case[], value: string, words: string): Promise<void> {
	for (const one of cases) {
		const [message = ''] = await messagesWith(one, `={{ ${JSON.stringify(value)} }}`);
		if (!message.includes(value) || !message.includes(words)) continue;
		expect(gateway.emulator.journal.entries()).toEqual([]);
		return;
	}
	throw new Error(`"${value}" is not refused.`);
}

describe('Before anything is sent,', () => {
	it.each(casesOf(({ type }) => type === 'boolean'))('a switch that is neither: $name', async ({ cases }) => {
		await expectRefused(cases, 'maybe', 'is neither on nor off');
	});

	it.each(casesOf(({ type }) => type === 'number'))('a number that is none: $name', async ({ cases }) => {
		await expectRefused(cases, '8,5', 'is not a number');
	});

	const isList = ({ type, options = [] }: INodeProperties) =>
		['options', 'multiOptions'].includes(type) &&
		// A list with the choice Custom takes anything.
		!options.some((option) => 'value' in option && option.value === 'custom');
	it.each(casesOf(isList))('a choice that there is not: $name', async ({ cases }) => {
		await expectRefused(cases, 'no such choice', 'which is not one of the choices');
	});
});

describe('A parameter', () => {
	const first = casesOf(() => true)
		.map(({ cases: [one] }) => one)
		.filter(({ type, path }) => isMainNode(type) && /^(?:options\.)?[^.]+$/.test(path));
	it.each(first)('is never "undefined" in a message: $name', async (one) => {
		// A row without the field, and one with another type.
		const messages = await messagesWith(one, '={{ [$json.none, {}][$itemIndex % 2] }}', 2);
		// The words of a gateway that does not know a currency.
		const own = messages.map((message) => message.replace('Cannot convert undefined', ''));
		expect(own.filter((message) => /\bundefined\b/.test(message))).toEqual([]);
	});
});

const SONG = { operation: 'generate', model: chosen('music-v5'), prompt: 'Rain' };
const TASK = { operation: 'get', taskId: 'one' };
const STREAM = { ...SONG, operation: 'generateContent', options: { stream: true } };
const VOICE = {
	operation: 'create',
	name: 'Voice',
	public: true,
	samples: { sample: ['one', 'two'].map((name) => ({ binaryPropertyName: name, transcript: 'A text.' })) },
};

const { properties: credentialFields } = new UnifiedAiGatewayApi();

/** Every path that has an alternative, and the setting that leads to it. */
const PATHS: Array<[path: string, setting: string, node: string, parameters: object]> = [
	['POST /v1/music/generations', 'Music Submit Path', 'music', SONG],
	['GET /v1/music/tasks/*', 'Music Query Path', 'music', TASK],
	['POST /v1/voice/model', 'Voice Create Path', 'voiceModel', VOICE],
	['POST /v1beta/models/*', 'Stream', 'chat', STREAM],
];

const answers: Array<[string, object]> = [
	['an error', { kind: 'status', status: 404, body: { error: { message: 'Invalid URL' } } }],
	['a web page', { kind: 'html', status: 404 }],
	['nothing', { kind: 'empty', status: 405 }],
];

describe.each(PATHS)('A gateway without %s', (path, setting, node, parameters) => {
	it.each(answers)('leads to the setting for another one, with %s', async (_what, fault) => {
		gateway.fail(path, { ...fault, times: 'always' } as never);
		const { error } = await runWorkflow(oneNode(node, { ...parameters }), {
			credential: gateway.credential(),
			input: [{ json: {}, binary: { one: wavSample(), two: wavSample() } }],
		});
		expect(error?.description).toMatch(
			new RegExp(
				`\\b${setting}\\b.* (in Options|\\(Advanced Settings of the credential\\))\\. The request was not carried out\\.$`,
			),
		);
		const { properties } = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description;
		expect(JSON.stringify([properties, credentialFields])).toContain(`"displayName":"${setting}"`);
		expect(gateway.emulator.journal.count()).toBe(1);
	});
});
