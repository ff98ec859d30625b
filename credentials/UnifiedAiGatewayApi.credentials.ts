import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { guarded } from '../nodes/shared/failure/failure';
import { settingsFailure } from '../nodes/shared/failure/words';
import { addressesOf, belongsToCredential } from '../nodes/shared/send/addresses';
import { choiceField, flagField, headersField, numberField, textField } from '../nodes/shared/fields/field';
import { WIRING_FIELDS } from '../nodes/shared/send/wiring';
import { credentialHeaders, type GatewayCredential } from '../nodes/shared/send/credential';
import { withoutEnd } from '../nodes/shared/plain/values';

const SECRET = flagField(
	'Secret',
	'isSecret',
	'Whether to remove the value from everything that the nodes output, if it has at least 8 characters. Turn off for a word that answers may contain.',
);

/** The settings that few gateways need. n8n passes them on only while they are shown. */
const ADVANCED_SETTINGS: INodeProperties[] = [
	textField(
		'Alternate Base URL',
		'alternateBaseUrl',
		'Second address of the gateway, for paths under /v1 while Base URL cannot be reached',
		{ placeholder: 'e.g. https://gateway-2.example.com' },
	),
	textField(
		'Utilities Base URL',
		'utilitiesBaseUrl',
		'Address of the utility endpoints, with or without "/v2/apis" at the end. Leave empty to use Base URL.',
		{ placeholder: 'e.g. https://tools.example.com' },
	),
	choiceField('Messages Authentication', 'messagesAuthentication', {
		default: 'bearer',
		description: 'How to send the key to the messages endpoint',
		options: [
			{
				name: 'Bearer',
				value: 'bearer',
				description: 'Send the key as a bearer token, as for all other endpoints',
			},
			{ name: 'X-API-Key', value: 'xApiKey', description: 'Send the key in the x-api-key header' },
		],
	}),
	textField(
		'Messages Version Header',
		'messagesVersionHeader',
		'Name of the version header of the messages endpoint',
		{ default: 'msgapi-version' },
	),
	textField('Messages Version', 'messagesVersion', 'Value of the version header of the messages endpoint', {
		default: '2023-06-01',
	}),
	textField(
		'Idempotency Header',
		'idempotencyHeader',
		'Name of the header by which your gateway recognizes a repeated request, if it has one. Each paid request then carries a key of its own, and one whose outcome is unclear is resent with the same key, so that it is charged once. Leave empty if your gateway does not document such a header.',
		{ placeholder: 'e.g. Idempotency-Key' },
	),
	headersField(
		'Further headers of each request, such as an organization, a route, or a tag. They are sent only to the addresses in this credential.',
		'e.g. X-Organization',
		{ typeOptions: { password: true } },
		[SECRET],
	),
	numberField(
		'Requests per Minute',
		'requestsPerMinute',
		0,
		'Maximum number of requests per minute that all workflows of this n8n process send with this credential. Set to 0 for no fixed limit. The nodes learn and respect the limits of the gateway in any case.',
		{ typeOptions: { minValue: 0 } },
	),
	...WIRING_FIELDS,
];

export class UnifiedAiGatewayApi implements ICredentialType {
	name = 'unifiedAiGatewayApi';

	displayName = 'Unified AI Gateway API';

	icon = { light: 'file:unifiedAiGateway.svg', dark: 'file:unifiedAiGateway.dark.svg' } as const;

	documentationUrl =
		'https://github.com/unified-ai-gateway/n8n-nodes-unified-ai-gateway/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		textField('Base URL', 'baseUrl', 'Address of your gateway, with or without "/v1" at the end', {
			required: true,
			placeholder: 'e.g. https://gateway.example.com',
		}),
		textField(
			'API Key',
			'apiKey',
			'The key that you received from your gateway. It is sent only to the addresses in this credential.',
			{ typeOptions: { password: true }, required: true },
		),
		flagField(
			'Advanced Settings',
			'advancedSettings',
			'Whether to use further settings, which most gateways do not need: a second address, headers, a fixed rate, paths, and field names',
			{ default: false, hint: 'Shows further settings, which apply only while this is on' },
		),
		...ADVANCED_SETTINGS.map((property) => ({
			...property,
			displayOptions: { show: { advancedSettings: [true] } },
		})),
	];

	/** @throws GatewayFailure when the request is not for one of the credential's addresses */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		guarded(() => signed(requestOptions, credentials as unknown as GatewayCredential));
}

/** Adds the key, the headers of the credential, and for the messages endpoint its version (interface, section 5). */
function signed(requestOptions: IHttpRequestOptions, credential: GatewayCredential): IHttpRequestOptions {
	const url = absoluteUrl(requestOptions);
	if (!belongsToCredential(url, addressesOf(credential))) {
		throw settingsFailure(
			'The API key is not sent to this address',
			'The credential works only with the addresses in it. Send the request to one of them, or send it without this credential.',
		);
	}
	const headers = credentialHeaders(credential, url);
	// On a redirect to another origin, n8n removes only this header.
	const isSafe = Object.keys(headers).every((name) => name === 'Authorization');
	return {
		...requestOptions,
		headers: { ...requestOptions.headers, ...headers },
		sendCredentialsOnCrossOriginRedirect: false,
		...(isSafe ? {} : WITHOUT_REDIRECTS),
	};
}

/** The options of both request helpers of n8n that keep them from following redirects. */
const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Returns the whole address of a request. Nodes of n8n that use its older request helper call it `uri`. */
function absoluteUrl({ url, uri, baseURL }: IHttpRequestOptions & { uri?: string }): string {
	const address = url ?? uri ?? '';
	const isWhole = !baseURL || /^https?:/i.test(address);
	return isWhole ? address : `${withoutEnd(baseURL, '/')}/${address.replace(/^\/+/, '')}`;
}
