import { section, type TestName } from './row';

const MAIN = [
	'addresses',
	'are read without white space, slashes at the end, and the path of the API',
] as const;
const VERSION = ['credential', 'has the name and value of the credential, unless they are empty'] as const;
const KIND: TestName = ['errorMessages', '%i is a failure of the kind %s with its own words'];
const MANY_REFUSALS: TestName = [
	'chat',
	'completes 60 items although the gateway refuses the first 15 requests',
];

/** Sections 5 to 9: what holds for all endpoints. */
export const ending = [
	section('5', 'Authentication', [
		[
			'Every request carries `Authorization: Bearer <API_KEY>`.',
			'Credential › API Key',
			['credential', 'is a bearer token, without white space around it'],
		],
		[
			'On the messages-format endpoint, `x-api-key: <API_KEY>` is accepted instead.',
			'Credential › Messages Authentication',
			['chat', 'sends the key to the messages endpoint as the credential is set'],
		],
		[
			'Keys are passed in a header only; they must not appear in client-side code or public repositories.',
			'= All nodes remove the key from everything that they output',
			['secrets', 'A gateway that repeats the key'],
		],
		['A missing or invalid key yields HTTP 401.', '= All nodes', ['chatBatches', 'explains a wrong key']],
		[
			'Authentication of the `/v2/apis` endpoints: not shown.',
			'Credential › API Key',
			['everyUtility', '$operation outputs the response with encoding $encoding'],
		],
	]),
	section('6', 'Events', [
		[
			'No webhooks or callback events are shown',
			'= No trigger node',
			['musicRoutes', 'progress from PENDING through PROCESSING to SUCCESS, with progress and times'],
			'The service has no events to wait for.',
		],
		[
			'chat endpoints with `stream: true` deliver server-sent events',
			[
				'Chat › Message a Model › Options › Stream',
				'Chat › Message a Model (Messages Format) › Options › Stream',
				'Chat › Message a Model (Generate Content Format) › Options › Stream',
				'Chat Model › Options › Stream',
			],
			['chat', 'is the same for a stream and a whole response, and so is the raw output'],
		],
		[
			'the format-A stream ends with `[DONE]`',
			'Chat › Message a Model › Options › Stream',
			['chatStreams', 'is complete when the connection is lost after the end of the answer'],
		],
		[
			'the final chunk carries token usage',
			'Chat › Message a Model › Options › Include Usage',
			['chat', 'contains stream options, the response format, and extra body fields'],
		],
		[
			'The messages endpoint streams in the messages-format layout.',
			'Chat › Message a Model (Messages Format) › Options › Stream',
			['chatStreams', 'yields the same text for any chunks and any junk between its events'],
		],
		[
			'Music generation is completed by polling (4.9), not by events.',
			['Music › Generate › Wait for Completion', 'Music › Wait'],
			['music', 'continues after all kinds of failed polls'],
		],
	]),
	section('7', 'Errors', [
		[
			'Failure body shape: error object (2.11).',
			'= The message of the failed item',
			['errorBody', 'has message, type, and code in its error object'],
		],
		[
			'200',
			'= The item is output, unless the response is an error',
			['client', 'of %i is a success or a failure: %s'],
		],
		['400', '= The item fails and names what to correct', KIND],
		['401', '= The item fails and names the credential', KIND],
		[
			'429',
			['Chat › Message a Model › Options › Max Rate Limit Retries', 'Credential › Requests per Minute'],
			MANY_REFUSALS,
		],
		[
			'500',
			[
				'Chat › Message a Model › Options › Max Retries',
				'Chat › Message a Model › Options › Repeat When the Outcome Is Unclear',
			],
			[
				'retry',
				'allows 500 with the error object of a gateway for what generates, and never for what creates',
			],
			'Retried where nothing can be paid for twice. A song or a voice may have been created, so that request is sent again only if the option says so.',
		],
		[
			'`no base64 image found in response` (model returned no image)',
			'Image › Generate',
			['imageBatches', 'is recognized under another status as well'],
		],
		[
			'`failed to upload image` (upload to the proxy failed)',
			'Image › Generate',
			['imageRequest', 'has its own message and is final only for an empty response of the model'],
		],
		[
			'`chat response contains no choices` (empty model reply, likely a safety filter)',
			'Image › Generate',
			['imageRequest', 'has its own message and is final only for an empty response of the model'],
		],
		[
			'Music task failures set `status` to `FAILED` with `fail_reason`.',
			['Music › Generate', 'Music › Get', 'Music › Wait'],
			['music', 'returns a failed task as a failure of its item, with reason and ID'],
		],
		[
			'Model ids are case-sensitive; an unknown id is a request error.',
			'Chat › Message a Model › Model',
			['embed', 'sends one additional request per run, not two per text, for a wrong model'],
		],
		[
			'Error body of the `/v2/apis` endpoints: not shown.',
			'= The message of the failed item',
			['utilities', 'has the message in the data for a failing code despite status 200'],
		],
	]),
	section('8', 'Limits', [
		[
			'RPM, RPD, TPM (requests per minute, requests per day, tokens per minute)',
			['Credential › Requests per Minute', 'Chat › Message a Model › Options › Max Concurrency'],
			['chatBatches', 'fails the batch immediately when the rate limit is reached for a day'],
		],
		[
			'input length',
			['Speech › Create › Long Text', 'Speech › Create › Options › Characters per Part'],
			['speech', 'is one playable %s file without missing sentences'],
		],
		['audio files', 'Voice Model › Create › Samples', ['voiceModel', 'names the reason: %s']],
		[
			'temperature range',
			[
				'Chat › Message a Model › Options › Temperature',
				'Chat › Message a Model (Messages Format) › Options › Temperature',
			],
			['chatRefusals', 'rejects %s before any request, and names the parameter and the item'],
		],
		[
			'forecast days',
			'Utilities › Weather: Forecast',
			['catalogue', 'has the limits of the document for the days of a forecast and the size of a QR code'],
		],
		[
			'QR size default',
			'Utilities › Tools: QR Code',
			['catalogue', 'has the limits of the document for the days of a forecast and the size of a QR code'],
		],
		[
			'tracks per music task',
			'Music › Generate › Output',
			['music', 'returns tracks as items with their audio and cover, in the order of the input'],
		],
	]),
	section('9', 'Versioning', [
		[
			'Path prefixes: `/v1` (main API), `/v1beta` (generate-content format), `/v2/apis` (utility endpoints).',
			['Credential › Base URL', 'Credential › Utilities Base URL'],
			MAIN,
		],
		[
			'The messages endpoint requires the version header `msgapi-version` with value `2023-06-01`.',
			['Credential › Messages Version Header', 'Credential › Messages Version'],
			VERSION,
		],
		[
			'Deprecation policy and change notification: not shown.',
			'= Nothing to do',
			['strictness', 'has no effect where it is not understood'],
			'The interface announces nothing that a node could react to.',
		],
	]),
];
