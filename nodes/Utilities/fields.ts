import type { INodeProperties } from 'n8n-workflow';
import { optionsField, OUTPUT_FILE } from '../shared/fields/options';
import { pickerField } from '../shared/fields/picker';
import type { Encoding, Utility, UtilityParameter } from './catalogue/utility';
import {
	endpointPathField,
	ENCODING_NAMES,
	fullResponseField,
	listToSplitOutField,
	queryField,
	splitOutField,
} from './outputFields';

/** Whether a parameter is a field of its own; the others stand in Options. */
export function isField({ required, upfront }: UtilityParameter): boolean {
	return required === true || upfront === true;
}

/**
 * The editor's fields of all endpoints: own parameters first, then the encoding, the output, and Options. What
 * several endpoints have alike stands here once for all of them, because the editor loads all of it.
 */
export function catalogueFields(catalogue: Utility[]): INodeProperties[] {
	const textOnly = catalogue.filter((utility) => utility.textOnly);
	return [
		...catalogue.flatMap((utility) =>
			utility.parameters.filter(isField).map((parameter) => shownFor([utility], toField(parameter))),
		),
		...encodingFields(catalogue),
		shownFor(catalogue.filter(hasImages), OUTPUT_FILE, { encoding: ['image', 'image-proxy'] }),
		...[true, false].flatMap((preset) => splitOutFields(catalogue, preset)),
		{
			...optionsField({ timeoutSeconds: 60, body: false }, [
				...ownOptions(catalogue),
				endpointPathField,
				queryField(
					'Extra Query Parameters',
					'extraQuery',
					'Further parameters that your gateway knows for this endpoint; they win over the other fields',
				),
				...[fullResponseField, listToSplitOutField].map((field) => hiddenFor(textOnly, field)),
			]),
			displayOptions: { show: { operation: catalogue.map(({ value }) => value) } },
		},
	];
}

function hasImages({ encodings }: Utility): boolean {
	return encodings.some((encoding) => encoding.startsWith('image'));
}

/** One Encoding field for each set of encodings and default. */
function encodingFields(catalogue: Utility[]): INodeProperties[] {
	const encoded = catalogue.filter(({ encodings }) => encodings.length > 0);
	const alike = groupBy(
		encoded,
		(utility) => `${defaultEncoding(utility)} of ${[...utility.encodings].sort().join()}`,
	);
	return alike.map((utilities) =>
		shownFor(utilities, {
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			options: toOptions(utilities[0].encodings),
			default: defaultEncoding(utilities[0]),
			description: 'In which form the answer comes',
		}),
	);
}

function defaultEncoding({ defaultEncoding = 'json' }: Utility): Encoding {
	return defaultEncoding;
}

function toOptions(encodings: Encoding[]) {
	return encodings
		.map((value) => ({ value, ...ENCODING_NAMES[value] }))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Split Out Lists belongs to JSON, which some endpoints give without being asked. */
function splitOutFields(catalogue: Utility[], preset: boolean): INodeProperties[] {
	const field = splitOutField(preset);
	const alike = catalogue.filter(({ many = false }) => many === preset);
	const encoded = alike.filter(({ encodings }) => encodings.includes('json'));
	const jsonOnly = alike.filter(({ encodings, textOnly }) => encodings.length === 0 && !textOnly);
	return [
		shownFor(encoded, field, { encoding: ['json'] }),
		...(jsonOnly.length > 0 ? [shownFor(jsonOnly, field)] : []),
	];
}

/** Optional parameters of all endpoints, each shown for those that have it. */
function ownOptions(catalogue: Utility[]): INodeProperties[] {
	const owned = catalogue.flatMap((utility) =>
		utility.parameters
			.filter((parameter) => !isField(parameter))
			.map((parameter) => ({ utility, parameter })),
	);
	return groupBy(owned, ({ parameter }) => parameter.key).map((sharing) => ({
		...toField(sharing[0].parameter),
		displayOptions: { show: { '/operation': sharing.map(({ utility }) => utility.value) } },
	}));
}

function shownFor(
	utilities: Utility[],
	field: INodeProperties,
	show: Record<string, string[]> = {},
): INodeProperties {
	const operation = utilities.map(({ value }) => value);
	return { ...field, displayOptions: { show: { operation, ...show } } };
}

/** An entry of Options without these endpoints. */
function hiddenFor(utilities: Utility[], entry: INodeProperties): INodeProperties {
	const { displayOptions } = entry;
	const hide = { ...displayOptions?.hide, '/operation': utilities.map(({ value }) => value) };
	return { ...entry, displayOptions: { ...displayOptions, hide } };
}

function groupBy<Entry>(entries: Entry[], keyOf: (entry: Entry) => string): Entry[][] {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return [...groups.values()];
}

function toField(parameter: UtilityParameter): INodeProperties {
	const { key, label, description, required, placeholder } = parameter;
	const field = { displayName: label, name: key, description, required, placeholder };
	switch (parameter.type) {
		case 'text': {
			const { lines, secret, default: preset = '' } = parameter;
			const typeOptions = { rows: lines, password: secret };
			return { ...field, type: 'string', typeOptions, default: preset };
		}
		case 'date':
			return { ...field, type: 'dateTime', default: '' };
		case 'switch':
		case 'presence':
			// Whoever adds a switch to Options wants what its name says.
			return { ...field, type: 'boolean', default: true };
		case 'list':
			return { ...field, type: 'options', options: parameter.choices, default: parameter.default };
		case 'number': {
			const { min, max, default: preset = 0 } = parameter;
			const typeOptions = { minValue: min, maxValue: max, numberPrecision: 0 };
			return { ...field, type: 'number', typeOptions, default: preset };
		}
		case 'picker':
			return pickerField({
				displayName: label,
				name: key,
				description,
				searchListMethod: parameter.search,
				defaultValue: parameter.default,
				defaultName: parameter.defaultName,
				placeholder: placeholder ?? '',
				required: required === true,
			});
	}
}
