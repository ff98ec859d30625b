import type { INodeProperties, INodePropertyOptions, NodeParameterValueType } from 'n8n-workflow';

/** Values that work, by the name of the parameter, or by the names of the node and the parameter. */
const byName: Record<string, NodeParameterValueType> = {
	aspectRatio: '16:9',
	'chat style': 'custom',
	'music model': 'music-v5',
	coverField: 'cover',
	contentType: 'application/json',
	coverPropertyName: 'cover',
	customStyle: 'chat-format',
	customFormat: 'wav',
	contactEmail: 'someone@email.example',
	extraBodyFields: '{}',
	jsonSchema: '{"type":"object","properties":{"answer":{"type":"string"}}}',
	kind: 'image',
	listToSplitOut: 'news',
	maxRequests: 1_000,
	maxTotalTokens: 5_000,
	maxTokens: 5_000,
	maxWaitMinutes: 1,
	messagesJson: '[{"role":"user","content":"Return only JSON."}]',
	model: 'aurora-4',
	// Several parallel requests may arrive in any order.
	parallelRequests: 1,
	path: '/v1/models',
	pollIntervalSeconds: 5,
	voice: 'Anders',
	prefix: '/v2/apis',
	// A password needs characters of at least one kind.
	'utilities lowercase': true,
	safetySettings: '[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]',
	text: 'Return only JSON.',
	systemPrompt: 'Return only JSON.',
	tools: '[{"googleSearch":{}}]',
	topP: 0.97,
	// An option is added to turn it on.
	eachSentence: true,
	includeUsage: true,
	parseJson: true,
	payAgain: true,
	retryUnclear: true,
	stream: true,
	withoutTags: true,
	withoutUsage: true,
	url: 'https://example.com/picture.png',
};

/** Returns a value that a person could enter and that is not the default. Pure. */
export function valueOf(property: INodeProperties, node: string): NodeParameterValueType {
	const { name, type, default: preset, typeOptions = {}, placeholder = '', modes = [] } = property;
	const named = byName[`${node} ${name}`] ?? byName[name];
	// A utility refuses values that it does not know, for example a city.
	const examples = node === 'utilities' ? [placeholder, ...modes.map((mode) => mode.placeholder ?? '')] : [];
	const example = examples.flatMap((text) => /^e\.g\. ([^(]+)/.exec(text)?.[1].trim() ?? []).at(0);
	const value = named ?? example ?? fallbackOf(type, preset, typeOptions, property);
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: value as string };
	return typeOptions.multipleValues === true ? ([value] as NodeParameterValueType) : value;
}

function fallbackOf(
	type: INodeProperties['type'],
	preset: INodeProperties['default'],
	{ minValue, maxValue }: NonNullable<INodeProperties['typeOptions']>,
	{ options }: INodeProperties,
): NodeParameterValueType {
	const choices = () => (options as INodePropertyOptions[]).map(({ value }) => value);
	if (type === 'boolean') return preset !== true;
	if (type === 'options') return choices().find((choice) => choice !== preset)!;
	if (type === 'multiOptions') return [choices()[0]] as string[];
	if (type === 'json') return '{"extra_field":"extra"}';
	if (type === 'dateTime') return '2026-01-02T00:00:00';
	if (type !== 'number') return 'sample';
	const number = Number(preset);
	return [number + 1, number - 1, maxValue, minValue].find(
		(one) =>
			one !== undefined && one !== number && one >= (minValue ?? -Infinity) && one <= (maxValue ?? Infinity),
	)!;
}
