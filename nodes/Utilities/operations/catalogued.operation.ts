import type { INodeProperties } from 'n8n-workflow';
import { optionsField, OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';
import type { PathValues } from '../../shared/send/pathValues';
import type { Call } from '../../shared/run/call';
import type { ItemOperation, OperationResult } from '../../shared/run/operation';
import { groupBy, isBlank, textOr } from '../../shared/plain/values';
import { catalogue } from '../catalogue';
import { defaultEncodingOf, type Encoding, type Utility, type UtilityParameter } from '../catalogue/utility';
import { resolveEnteredPath } from '../enteredPath';
import { fetchUtility } from '../fetchUtility';
import {
	ENCODING,
	encodingOptions,
	LIST_TO_SPLIT_OUT,
	listSettingsOf,
	queryPairs,
	SPLIT_OUT_LISTS,
} from '../fields';
import { queryField } from '../queryFields';
import { definitionOf, isField, readParameter } from '../parameter';
import { pathValues, type UtilityInput, utilityRequest } from '../request';

const ENDPOINT_PATH: INodeProperties = {
	displayName: 'Endpoint Path',
	name: 'endpointPath',
	type: 'string',
	default: '',
	placeholder: 'e.g. /v2/apis/other-name',
	description:
		'Path of this endpoint if your gateway uses another one. Write a segment that a parameter fills in braces, for example {type}.',
};

const EXTRA_QUERY_PARAMETERS = queryField(
	'Extra Query Parameters',
	'extraQuery',
	'Further parameters that your gateway accepts for this endpoint. They override the other fields.',
);

/**
 * The editor's fields of all endpoints: their own parameters first, then the encoding, the output, and Options. A field
 * that several endpoints share is listed once for all of them because the editor loads the whole list.
 *
 * @param others values of further operations of the node
 */
export function catalogueFields(catalogue: Utility[], others: string[]): INodeProperties[] {
	const choosing = catalogue.filter(({ output = {} }) => listSettingsOf(output).canChoose);
	const options = optionsField(
		{ timeoutSeconds: 60, body: false, streams: true, reuse: true, limits: 'requests' },
		[...ownOptions(catalogue), ENDPOINT_PATH, EXTRA_QUERY_PARAMETERS, optionFor(choosing, LIST_TO_SPLIT_OUT)],
	);
	return [
		...ownFields(catalogue),
		...leading(encodingFields(catalogue), catalogue, others),
		shownFor(catalogue.filter(hasImages), OUTPUT_FILE, { [ENCODING.name]: ['image', 'image-proxy'] }),
		...leading(jsonFields(catalogue, SIMPLIFY), catalogue, others),
		...leading(
			[false, true].flatMap((preset) => splitOutFields(catalogue, preset)),
			catalogue,
			others,
		),
		{ ...options, displayOptions: { hide: { operation: others } } },
	];
}

/** The parameters of endpoints that are fields of their own. */
function ownFields(catalogue: Utility[]): INodeProperties[] {
	const owned = catalogue.flatMap((utility) =>
		utility.parameters.filter(isField).map((parameter) => ({ utility, parameter })),
	);
	return groupBy(owned, ({ parameter }) => JSON.stringify(parameter)).map((sharing) => {
		const [{ parameter }] = sharing;
		const namesakes = owned.filter((one) => one.parameter.key === parameter.key && !sharing.includes(one));
		const definition = definitionOf(parameter);
		const field =
			namesakes.length > 0 ? { ...definition, builderHint: { propertyHint: hintOf(namesakes) } } : definition;
		return shownFor(
			sharing.map(({ utility }) => utility),
			field,
		);
	});
}

/** n8n describes only the first of several fields with one name to its AI builder. */
function hintOf(namesakes: Array<{ utility: Utility; parameter: UtilityParameter }>): string {
	return namesakes
		.map(({ utility, parameter }) => `For ${utility.value}: ${parameter.description}`)
		.join('. ');
}

/**
 * Fields with one name, of which the first is hidden for all other operations instead of being shown for its own. n8n
 * describes only this one to its AI builder, with what it is hidden for, less what the others are shown for.
 */
function leading(fields: INodeProperties[], catalogue: Utility[], others: string[]): INodeProperties[] {
	const [{ displayOptions, ...first }, ...further] = fields;
	const { operation: own = [], ...show } = displayOptions?.show ?? {};
	const all = [...catalogue.map(({ value }) => value), ...others];
	const hide = { operation: all.filter((value) => !own.includes(value)) };
	return [{ ...first, displayOptions: { show, hide } }, ...further];
}

function hasImages({ encodings }: Utility): boolean {
	return encodings.some((encoding) => encoding.startsWith('image'));
}

/** One Encoding field for each set of encodings and default. */
function encodingFields(catalogue: Utility[]): INodeProperties[] {
	const encoded = catalogue.filter(({ encodings }) => encodings.length > 0);
	const alike = groupBy(
		encoded,
		(utility) => `${defaultEncodingOf(utility)} of ${[...utility.encodings].sort().join()}`,
	);
	// The one with the most encodings comes first, because n8n describes only that one to its AI builder.
	return alike
		.toSorted(([one], [other]) => other.encodings.length - one.encodings.length)
		.map((utilities) =>
			shownFor(utilities, {
				...encodingField(utilities[0]),
				builderHint: {
					propertyHint: 'Most operations offer json, text, and markdown; qrCode is an image by default',
				},
			}),
		);
}

function encodingField(utility: Utility): INodeProperties {
	return {
		...ENCODING,
		options: encodingOptions(utility.encodings),
		default: defaultEncodingOf(utility),
	};
}

/** Split Out Lists is for endpoints with a list, whose simplified JSON it splits. */
function splitOutFields(catalogue: Utility[], preset: boolean): INodeProperties[] {
	const alike = catalogue.filter(
		({ many = false, output = {} }) => many === preset && listSettingsOf(output).canSplit,
	);
	return jsonFields(alike, { ...SPLIT_OUT_LISTS, default: preset }, { [SIMPLIFY.name]: [true] });
}

/** A field for JSON, which endpoints without encodings return as well. */
function jsonFields(
	utilities: Utility[],
	field: INodeProperties,
	show: Record<string, boolean[]> = {},
): INodeProperties[] {
	const encoded = utilities.filter(({ encodings }) => encodings.includes('json'));
	const jsonOnly = utilities.filter(({ encodings, textOnly }) => encodings.length === 0 && !textOnly);
	return [
		...(encoded.length > 0 ? [shownFor(encoded, field, { [ENCODING.name]: ['json'], ...show })] : []),
		...(jsonOnly.length > 0 ? [shownFor(jsonOnly, field, show)] : []),
	];
}

/** The optional parameters of all endpoints; each is shown for the endpoints that have it. */
function ownOptions(catalogue: Utility[]): INodeProperties[] {
	const owned = catalogue.flatMap((utility) =>
		utility.parameters
			.filter((parameter) => !isField(parameter))
			.map((parameter) => ({ utility, parameter })),
	);
	return groupBy(owned, ({ parameter }) => parameter.key).map((sharing) => ({
		...definitionOf(sharing[0].parameter),
		displayOptions: { show: { '/operation': sharing.map(({ utility }) => utility.value) } },
	}));
}

function shownFor(
	utilities: Utility[],
	field: INodeProperties,
	show: Record<string, Array<string | boolean>> = {},
): INodeProperties {
	const operation = utilities.map(({ value }) => value);
	return { ...field, displayOptions: { show: { operation, ...show } } };
}

/** An entry of Options for only these endpoints. */
function optionFor(utilities: Utility[], entry: INodeProperties): INodeProperties {
	const { displayOptions } = entry;
	const show = { ...displayOptions?.show, '/operation': utilities.map(({ value }) => value) };
	return { ...entry, displayOptions: { ...displayOptions, show } };
}

/** @throws GatewayFailure (kind `input`) for a parameter that is missing or not allowed */
function readUtilityInput(call: Call, utility: Utility): UtilityInput {
	const extraQuery = queryPairs(call.options.value(EXTRA_QUERY_PARAMETERS), EXTRA_QUERY_PARAMETERS);
	const values = new Map<string, string>();
	for (const parameter of utility.parameters) {
		const text = readParameter(call, parameter);
		if (text !== undefined) values.set(parameter.key, text);
	}
	const endpointPath = readEndpointPath(call, pathValues(utility, values));
	return { values, encoding: readEncoding(call, utility), endpointPath, extraQuery };
}

function readEndpointPath(call: Call, values: PathValues): UtilityInput['endpointPath'] {
	const text = textOr(call.options.value(ENDPOINT_PATH));
	if (isBlank(text)) return undefined;
	const entered = resolveEnteredPath(text, call.client.addresses.utilities, ENDPOINT_PATH, { values });
	return { text, entered };
}

/** Gateways use the default for an encoding that they do not know, so such an encoding is rejected here. */
function readEncoding(call: Call, utility: Utility): Encoding | undefined {
	return utility.encodings.length === 0 ? undefined : (call.text(encodingField(utility)) as Encoding);
}

/** One operation for each endpoint of the catalogue. They share their fields; see `catalogueFields`. */
export const cataloguedOperations: ItemOperation[] = catalogue.map((utility) => ({
	value: utility.value,
	name: `${utility.group.name}: ${utility.name}`,
	action: utility.action,
	description: utility.description,
	fields: [],
	run: async (call) => await run(call, utility),
}));

/** What each operation is about, because n8n tells its AI builder only their values. */
export function operationsHint(catalogue: Utility[]): string {
	return catalogue.map(({ value, description }) => `${value}: ${description}`).join('\n');
}

async function run(call: Call, utility: Utility): Promise<OperationResult[]> {
	const input = readUtilityInput(call, utility);
	return await fetchUtility(call, {
		...utilityRequest(utility, input),
		fileName: utility.name,
		parameters: utility.parameters.filter(({ key }) => input.values.has(key)).map(({ label }) => label),
		notFoundAdvice:
			'If this operation never finds anything, your gateway may have the endpoint at another path (Endpoint Path in Options) or at another address (Utilities Base URL in the credential).',
		mayBeWebPage: input.encoding === 'html',
		output: utility.output,
		ownFields: utility.ownFields,
		hasList: utility.output?.lists !== undefined,
	});
}
