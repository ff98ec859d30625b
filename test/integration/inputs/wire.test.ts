import type { IDataObject, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { nodeTypes } from '../engine/nodeTypes';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from '../faults/fastClock';
import { type Place, placesIn } from './everyParameter';
import { everyNode, inputOf, isMainNode, nameOf } from './everyNode';

/** What each parameter sends, compared with what the same value sends in another way. */

useFastClock(100);
const gateway = useEmulator();

/** Nodes of which one is enough: those of an operation with the same parameters, and utilities with the same types. */
function kindOf({
	name,
	parameters,
	places,
}: {
	name: string;
	parameters: INodeParameters;
	places: Place[];
}) {
	const kinds = places.map(({ path, property }) => (name === 'utilities' ? property.type : path));
	return [name, name === 'utilities' ? '' : nameOf(parameters.operation), ...new Set(kinds)].join();
}

const nodes = everyNode()
	.filter(({ type }) => isMainNode(type))
	.map(({ type, parameters }) => ({
		name: type.split('.')[1],
		parameters,
		places: placesIn(nodeTypes[type].description.properties, parameters),
		deciding: nodeTypes[type].description.properties.flatMap(({ displayOptions }) =>
			Object.keys(displayOptions?.show ?? {}).map((one) => one.replace(/^\//, '')),
		),
	}))
	.filter((node, index, all) => all.findIndex((other) => kindOf(other) === kindOf(node)) === index)
	.map((node, index) => ({ ...node, title: `${node.name} ${nameOf(node.parameters.operation)} ${index}` }));

type Node = (typeof nodes)[number];

/** The different requests of a run, as JSON, without what differs between two runs. @param rows what the items have besides */
const sentBy = async (node: Node, parameters: INodeParameters, rows?: IDataObject[]) =>
	(await effectOf(node, parameters, rows)).sent;

/** The requests of {@link sentBy}, and the output of the run. */
async function effectOf({ name }: Node, parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	gateway.reset();
	gateway.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	const input = rows.flatMap((row) =>
		inputOf(name, parameters, gateway.emulator).map((item) => ({ ...item, json: { ...item.json, ...row } })),
	);
	// Limits could end a run before its second item.
	const workflow = oneNode(name, { ...parameters, spending: {} }, { onError: 'continueRegularOutput' });
	const { outputs } = await runWorkflow(workflow, { credential: gateway.credential(), input });
	const output = JSON.stringify(outputs).replace(/[\da-f]{16,}|[\da-f]{8}-[\da-f-]{27}/g, 'ID');
	const sent = gateway.emulator.journal.entries().map(({ method, path, query, headers, body }) => {
		// IDs of songs and of files.
		const where = path.replace(/[\da-f]{16,}/g, 'ID');
		const request = JSON.stringify({ method, where, query, tag: headers.sample, body });
		// A name can be taken only once.
		return request.replace(/Voice \d+/, 'Voice');
	});
	return { sent: [...new Set(sent)], output };
}

/** A copy of parameters in which the values at some places are others. */
function changed(values: INodeParameters, places: Place[], to: (place: Place, value: unknown) => unknown) {
	const wanted = new Map(places.map((place) => [place.path, place]));
	const copy = (value: unknown, path: string): unknown => {
		const place = wanted.get(path);
		if (place) return to(place, value);
		if (Array.isArray(value)) return value.map((one) => copy(one, path));
		if (typeof value !== 'object' || value === null || '__rl' in value) return value;
		const prefix = path === '' ? '' : `${path}.`;
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner, prefix + key)]));
	};
	return copy(values, '') as INodeParameters;
}

/** Spells a value as a spreadsheet does: the name of a choice, a number as text, "yes". */
function spelled({ type, options }: INodeProperties, value: unknown): unknown {
	if (type === 'boolean') return value === true ? 'yes' : 'no';
	if (type === 'number') return String(value);
	if (type !== 'options') return value;
	return (options as INodePropertyOptions[]).find((choice) => choice.value === value)?.name ?? value;
}

/** Of these, the value of the first item counts. */
const OF_FIRST = /^limits\.(parallelRequests|payAgain|maxWaitMinutes|pollIntervalSeconds)/;
const COLLECTIONS = ['collection', 'fixedCollection', 'notice', 'multiOptions', 'hidden'];

describe('A parameter reaches the gateway', () => {
	it.each(nodes)('of the second item, as it is in a spreadsheet: $title', async (node) => {
		const { parameters, deciding } = node;
		const places = node.places.filter(
			({ path, property }) =>
				![...deciding, 'operation', 'resource'].includes(path) &&
				!COLLECTIONS.includes(property.type) &&
				property.typeOptions?.multipleValues !== true &&
				// The entries of a list have the same path.
				(path.split('.').length <= 2 || path.includes('headers')) &&
				// Join Items makes one file of all, for which the settings of the first one count.
				nameOf(parameters.operation) !== 'joinItems',
		);
		const [first, second]: IDataObject[] = [{}, {}];
		const expressions = changed(parameters, places, ({ path, property }, value) => {
			if (typeof value === 'string' && value.startsWith('=')) return value;
			const locator = property.type === 'resourceLocator' && (value as IDataObject);
			const text = spelled(property, locator ? locator.value : value) as string;
			// Options have no value in the first item.
			const isOption = /^(options|limits)\./.test(path) && !OF_FIRST.test(path);
			Object.assign(first, { [path]: isOption ? '' : text });
			Object.assign(second, { [path]: text });
			const expression = `={{ $json[${JSON.stringify(path)}] }}`;
			return locator ? { ...locator, value: expression } : expression;
		});
		const expected = await sentBy(node, parameters);
		const sent = await sentBy(node, expressions, [first, second]);
		expect(sent).toEqual(expect.arrayContaining(expected));
	});

	/** Options with values here that change nothing; each has a test of its own. */
	const IDLE =
		/\.(extraBodyFields|includeInputFields|ifItemFails|pauseSeconds|textField|instrumental|fileName)$/;
	/** Their requests or outputs are never the same: names of voices, and songs. A busy machine may hide an option, too. */
	const UNSTEADY = ['voiceModel create', 'music generate', 'music get', 'music wait'];
	/** The options of the chat formats are in `integration/Chat/requests.test.ts`. */
	const steady = nodes
		.map((node) => ({ ...node, operation: `${node.name} ${nameOf(node.parameters.operation)}`.trim() }))
		.filter(({ name, operation }) => !['chat', 'utilities'].includes(name) && !UNSTEADY.includes(operation));

	it.each([...new Set(steady.map(({ operation }) => operation))])(
		'or changes the output, if it is an option of %s',
		async (operation) => {
			const [known, changing] = [new Set<string>(), new Set<string>()];
			for (const node of steady.filter((one) => one.operation === operation)) {
				const { options: all = {}, ...parameters } = node.parameters;
				const effectWith = async (options: INodeParameters) => {
					const { sent, output } = await effectOf(node, { ...parameters, options });
					return JSON.stringify([sent.sort(), output]);
				};
				const expected = await effectWith(all as INodeParameters);
				for (const path of Object.keys(all as INodeParameters)) {
					known.add(`.${path}`);
					const others = Object.entries(all as INodeParameters).filter(([name]) => name !== path);
					if ((await effectWith(Object.fromEntries(others))) !== expected) changing.add(`.${path}`);
				}
			}
			expect(known.size).toBeGreaterThan(0);
			expect([...known].filter((path) => !changing.has(path) && !IDLE.test(path))).toEqual([]);
		},
	);

	/** The names of all fields of requests. */
	const fieldsOf = (sent: string[]) => {
		const names = (value: unknown, path: string): string[] =>
			typeof value !== 'object' || value === null
				? [path]
				: Object.entries(value).flatMap(([key, inner]) => names(inner, `${path}.${key}`));
		return [...new Set(sent.flatMap((request) => names(JSON.parse(request), '')))].sort();
	};
	/** 0 stands for all documents. */
	const NONE = ['topN'];
	const mayBeZero = ({ property: { name, type, typeOptions } }: Place) =>
		type === 'number' && (typeOptions?.minValue ?? 0) <= 0 && !NONE.includes(name);

	it.each(nodes.filter(({ places }) => places.some(mayBeZero)))('also if it is 0: $title', async (node) => {
		const zeros = changed(node.parameters, node.places.filter(mayBeZero), () => 0);
		expect(fieldsOf(await sentBy(node, zeros))).toEqual(fieldsOf(await sentBy(node, node.parameters)));
	});

	/** The fields of a body with other values; lists, such as that of the messages, stay out. */
	const others = (body: IDataObject): IDataObject => {
		const entries = Object.entries(body).flatMap(([name, value]): Array<[string, unknown]> => {
			// Only some formats can be joined.
			if (name === 'response_format') return [[name, value === 'wav' ? 'opus' : 'wav']];
			if (typeof value === 'string') return [[name, `${value}-2`]];
			if (typeof value === 'number') return [[name, value + 1]];
			if (typeof value === 'boolean') return [[name, !value]];
			if (Array.isArray(value) || value === null) return [];
			return [[name, others(value as IDataObject)]];
		});
		return Object.fromEntries(entries) as IDataObject;
	};
	const firstBodyOf = (sent: string[]) =>
		sent.map((request) => JSON.parse(request) as { body: IDataObject | null }).find(({ body }) => body)!.body;
	const operationOf = ({ name, parameters }: Node) => `${name} ${nameOf(parameters.operation)}`;
	/** One node of each operation; a new voice is a form, which has its own test. */
	const withExtra = nodes
		.filter(({ places }) => places.some(({ path }) => path === 'options.extraBodyFields'))
		.filter((node, index, all) => index === all.findIndex((one) => operationOf(one) === operationOf(node)))
		.filter(({ name }) => name !== 'voiceModel');

	it.each(withExtra)('unless Extra Body Fields name it: $title', async (node) => {
		const extra = others(firstBodyOf(await sentBy(node, node.parameters))!);
		expect(Object.keys(extra)).not.toEqual([]);
		const options = { ...(node.parameters.options as object), extraBodyFields: JSON.stringify(extra) };
		const sent = firstBodyOf(await sentBy(node, { ...node.parameters, options }));
		expect(sent).toMatchObject(extra);
	});
});
