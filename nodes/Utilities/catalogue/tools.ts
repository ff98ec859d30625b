import { USUAL_ENCODINGS, type UtilityEntry } from './utility';

/** Tool endpoints. */
export const tools: UtilityEntry[] = [
	{
		value: 'hash',
		name: 'Hash and Encode',
		action: 'Hash and encode text',
		description:
			'Digests (MD5, SHA), Base64, URL encoding, and compression of a text, and the reverse, all in one response',
		chinese: '哈希与编码',
		searchWords: ['hash', 'MD5', 'SHA256', 'base64', 'gzip'],
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
			{
				key: 'content',
				label: 'Content',
				type: 'text',
				verbatim: true,
				required: true,
				lines: 2,
				placeholder: 'e.g. hello',
				description: 'The text to hash, encode, and compress, or to decode',
			},
		],
	},
	{
		value: 'ipAddress',
		name: 'IP Address',
		action: 'Get public IP address',
		description: 'Public IP address of this n8n as the gateway sees it, with location and provider',
		chinese: '公网 IP',
		searchWords: ['my IP', 'IP location', 'geolocation'],
		path: '/v2/apis/ip',
		output: {
			fields: ['ip', 'country', 'prov', 'city', 'district', 'isp', 'owner', 'timezone', 'lat', 'lng'],
		},
	},
	{
		value: 'pageMetadata',
		name: 'Page Metadata',
		action: 'Get metadata of web page',
		description: 'Title, description, and preview image of a web page (Open Graph)',
		chinese: '网页信息',
		searchWords: ['open graph', 'link preview', 'page title'],
		path: '/v2/apis/og',
		output: { fields: ['title', 'description', 'image'] },
		encodings: [],
		parameters: [
			{
				key: 'url',
				label: 'URL',
				type: 'text',
				required: true,
				placeholder: 'e.g. https://example.com',
				description: 'URL of the page',
			},
		],
	},
	{
		value: 'qrCode',
		name: 'QR Code',
		action: 'Create QR code',
		description: 'Create a QR code. As text, it is the image in Base64.',
		chinese: '二维码',
		searchWords: ['QR code', 'qrcode', 'barcode'],
		path: '/v2/apis/qrcode',
		output: { fields: ['text', 'mime_type', 'base64'] },
		// The interface lists no encodings for this endpoint; without one, it returns an image (observed).
		encodings: ['image', ...USUAL_ENCODINGS],
		parameters: [
			{
				key: 'text',
				label: 'Text',
				type: 'text',
				verbatim: true,
				required: true,
				placeholder: 'e.g. https://example.com',
				description: 'The text or URL to encode',
			},
			{
				key: 'size',
				label: 'Size (Pixels)',
				type: 'number',
				min: 1,
				default: 256,
				description: 'Width and height of the image',
			},
			{
				key: 'level',
				label: 'Error Correction',
				type: 'list',
				default: 'M',
				choices: [
					{ name: 'L (7%)', value: 'L' },
					{ name: 'M (15%)', value: 'M' },
					{ name: 'Q (25%)', value: 'Q' },
					{ name: 'H (30%)', value: 'H' },
				],
				description:
					'How much of the code can be damaged or covered and still be read. More makes the code denser.',
			},
		],
	},
];
