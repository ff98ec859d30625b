import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { groupBy } from '../../shared/plain/values';
import { pathSegment } from '../../shared/send/wiring';
import { catalogue } from '../catalogue';
import type { Utility } from '../catalogue/utility';
import { fetchUtility } from '../fetchUtility';
import {
	ENCODING,
	encodingOptions,
	FILE_FIELD,
	LET_AGENT_FILL,
	LIST_TO_SPLIT_OUT,
	queryField,
	queryPairs,
	type QueryPairs,
	shownWith,
	SPLIT_OUT_LISTS,
	utilityOptions,
	withPairs,
} from '../fields';
import { definitionOf, isField, readParameter } from '../parameter';

const EXTRA_QUERY_PARAMETERS = queryField(
	'Extra Query Parameters',
	'extraQuery',
	'Further parameters that your gateway accepts for this endpoint. They override the other fields.',
);

const owned = catalogue.flatMap((utility) => utility.parameters.map((parameter) => ({ utility, parameter })));

/** The options of all endpoints. They share one list, because the editor loads every list. */
const OPTIONS = utilityOptions([
	...groupBy(
		owned.filter(({ parameter }) => !isField(parameter)),
		({ parameter }) => parameter.name,
	).map((sharing) =>
		optionFor(
			sharing.map(({ utility }) => utility),
			definitionOf(sharing[0].parameter),
		),
	),
	EXTRA_QUERY_PARAMETERS,
	optionFor(
		catalogue.filter(({ output }) => Object.keys(output?.lists ?? {}).length > 1),
		LIST_TO_SPLIT_OUT,
	),
]);

/** Returns an entry of Options that is shown only for these endpoints. */
function optionFor(utilities: Utility[], entry: INodeProperties): INodeProperties {
	const { displayOptions } = entry;
	const show = { ...displayOptions?.show, '/operation': utilities.map(({ value }) => value) };
	return { ...entry, displayOptions: { ...displayOptions, show } };
}

/** Returns the fields of an endpoint: its own parameters first, then the encoding, the output, and Options. */
function fieldsOf({ parameters, encodings, output, many }: Utility): INodeProperties[] {
	const ofJson = encodings.length > 0 ? { [ENCODING.name]: ['json'] } : {};
	const ofSimplified = { ...ofJson, [SIMPLIFY.name]: [true] };
	return [
		...(parameters.some(isField) ? [LET_AGENT_FILL] : []),
		...parameters.filter(isField).map(definitionOf),
		...(encodings.length > 0 ? [encodingField(encodings)] : []),
		...(encodings.includes('image') ? [FILE_FIELD] : []),
		...(output ? [shownWith(ofJson, SIMPLIFY)] : []),
		...(output?.lists ? [shownWith(ofSimplified, { ...SPLIT_OUT_LISTS, default: many })] : []),
		...OPTIONS,
	];
}

function encodingField(encodings: Utility['encodings']): INodeProperties {
	return { ...ENCODING, options: encodingOptions(encodings), default: encodings[0] };
}

export const cataloguedOperations: ItemOperation[] = catalogue.map((utility) => ({
	value: utility.value,
	// The editor searches only the names in its list of operations.
	name: `${utility.group}: ${utility.name}${utility.comparableTo ? ` (Like ${utility.comparableTo})` : ''}`,
	group: utility.group,
	action: `${utility.action[0].toUpperCase()}${utility.action.slice(1)}`,
	description: utility.description,
	fields: fieldsOf(utility),
	answerFields: utility.day === undefined ? [] : ['date'],
	run: async (call) => await run(call, utility),
}));

async function run(call: Call, utility: Utility): ReturnType<ItemOperation['run']> {
	const { parameters, encodings } = utility;
	const extra = queryPairs(call.options.value(EXTRA_QUERY_PARAMETERS), EXTRA_QUERY_PARAMETERS);
	const extraNames = extra.map(([name]) => name);
	const filled = parameters.flatMap((parameter) => {
		const text = readParameter(call, parameter, extraNames);
		return text === undefined ? [] : [{ parameter, text }];
	});
	const sent = filled.filter(({ parameter }) => !parameter.keeps);
	// Gateways use the default for an encoding that they do not know, so such an encoding is rejected here.
	const encoding = encodings.length === 0 ? undefined : call.text(encodingField(encodings));
	const path = utility.path.replace(/{(\w+)}/, (_placeholder, wanted: string) => {
		const { parameter, text } = sent.find(({ parameter: { name } }) => name === wanted)!;
		return pathSegment(parameter, text);
	});
	const fields = sent
		.filter(({ parameter: { name } }) => !utility.path.includes(`{${name}}`))
		.map(({ parameter: { name }, text }): QueryPairs[number] => [name, text]);
	if (encoding !== undefined) fields.push([ENCODING.name, encoding]);
	return await fetchUtility(call, {
		...utility,
		path,
		query: withPairs(fields, extra),
		fileName: utility.name,
		parameters: sent.map(({ parameter }) => parameter),
		mayBeWebPage: encoding === 'html',
		wanted: filled.find(({ parameter }) => parameter.keeps),
	});
}
