import { text, USUAL_ENCODINGS, type UtilityEntry } from './utility';
import { choiceField, numberField } from '../../shared/fields/field';

export const tools: UtilityEntry[] = [
	{
		value: 'qrCode',
		name: 'QR Code',
		action: 'create QR code',
		description: 'Create a QR code. As text, it is the image in Base64.',
		searchWords: ['qrcode', 'barcode', '二维码'],
		path: '/v2/apis/qrcode',
		output: { fields: ['text', 'mime_type', 'base64'] },
		// The interface lists no encodings for this endpoint; without one, it returns an image (observed).
		encodings: ['image', ...USUAL_ENCODINGS],
		parameters: [
			text('text', 'Text', 'e.g. https://example.com', 'The text or URL to encode', {
				verbatim: true,
				required: true,
			}),
			numberField('Size (Pixels)', 'size', 256, 'Width and height of the image', {
				typeOptions: { minValue: 1, numberPrecision: 0 },
			}),
			choiceField('Error Correction', 'level', {
				default: 'M',
				description:
					'How much of the code can be damaged or covered and still be read. More makes the code denser.',
				options: [
					{ name: 'L (7%)', value: 'L' },
					{ name: 'M (15%)', value: 'M' },
					{ name: 'Q (25%)', value: 'Q' },
					{ name: 'H (30%)', value: 'H' },
				],
			}),
		],
	},
	{
		value: 'pageMetadata',
		name: 'Page Metadata',
		action: 'get metadata of web page',
		description: 'Title, description, and preview image of a web page (Open Graph)',
		searchWords: ['open graph', 'link preview', 'page title', '网页信息'],
		path: '/v2/apis/og',
		output: { fields: ['title', 'description', 'image'] },
		encodings: [],
		parameters: [text('url', 'URL', 'e.g. https://example.com', 'URL of the page', { required: true })],
	},
	{
		value: 'hash',
		name: 'Hash and Encode',
		action: 'hash and encode text',
		description:
			'Digests (MD5, SHA), Base64, URL encoding, and compression of a text, and the reverse, all in one response',
		searchWords: ['hash', 'MD5', 'SHA256', 'base64', 'gzip', '哈希与编码'],
		path: '/v2/apis/hash',
		output: {
			fields: [
				'md5',
				'sha.sha1',
				'sha.sha256',
				'sha.sha512',
				['base64_encoded', 'base64.encoded'],
				['base64_decoded', 'base64.decoded'],
				['url_encoded', 'url.encoded'],
				['url_decoded', 'url.decoded'],
				['gzip_encoded', 'gzip.encoded'],
				['gzip_decoded', 'gzip.decoded'],
			],
		},
		encodings: [],
		parameters: [
			text('content', 'Content', 'e.g. hello', 'The text to hash, encode, and compress, or to decode', {
				typeOptions: { rows: 2 },
				verbatim: true,
				required: true,
			}),
		],
	},
	{
		value: 'ipAddress',
		name: 'IP Address',
		action: 'get public IP address with location in Chinese',
		description:
			'Public IP address of this n8n as the gateway sees it, with location and provider in Chinese',
		searchWords: ['my IP', 'IP location', 'geolocation', '公网 IP'],
		path: '/v2/apis/ip',
		output: {
			fields: ['ip', 'country', 'prov', 'city', 'district', 'isp', 'owner', 'timezone', 'lat', 'lng'],
		},
	},
];
