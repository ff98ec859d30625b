/** A place and its climate: coordinates in degrees, mean annual temperature and its seasonal swing in °C. */
export interface City {
	province: string;
	city: string;
	county: string;
	latitude: number;
	longitude: number;
	mean: number;
	swing: number;
}

type Row = [
	province: string,
	city: string,
	county: string,
	latitude: number,
	longitude: number,
	mean: number,
	swing: number,
];

const rows: Row[] = [
	['北京市', '北京市', '', 39.9, 116.4, 13, 15],
	['北京市', '北京市', '海淀', 39.96, 116.3, 12, 15],
	['上海市', '上海市', '', 31.2, 121.5, 17, 12],
	['上海市', '上海市', '浦东新区', 31.22, 121.54, 17, 12],
	['天津市', '天津市', '', 39.1, 117.2, 13, 15],
	['重庆市', '重庆市', '', 29.6, 106.5, 19, 10],
	['广东省', '广州市', '', 23.1, 113.3, 23, 7],
	['广东省', '深圳市', '', 22.5, 114.1, 23, 7],
	['广东省', '佛山市', '', 23.0, 113.1, 23, 7],
	['浙江省', '杭州市', '', 30.3, 120.2, 17, 12],
	['浙江省', '宁波市', '', 29.9, 121.6, 17, 11],
	['江苏省', '南京市', '', 32.1, 118.8, 16, 13],
	['江苏省', '苏州市', '', 31.3, 120.6, 17, 12],
	['四川省', '成都市', '', 30.7, 104.1, 17, 10],
	['湖北省', '武汉市', '', 30.6, 114.3, 18, 13],
	['湖南省', '长沙市', '', 28.2, 113.0, 18, 12],
	['陕西省', '西安市', '', 34.3, 108.9, 15, 14],
	['河南省', '郑州市', '', 34.7, 113.6, 15, 14],
	['山东省', '济南市', '', 36.7, 117.0, 15, 14],
	['山东省', '青岛市', '', 36.1, 120.4, 13, 12],
	['福建省', '福州市', '', 26.1, 119.3, 20, 9],
	['福建省', '厦门市', '', 24.5, 118.1, 21, 8],
	['辽宁省', '沈阳市', '', 41.8, 123.4, 9, 18],
	['辽宁省', '大连市', '', 38.9, 121.6, 11, 14],
	['吉林省', '长春市', '', 43.9, 125.3, 6, 20],
	['黑龙江省', '哈尔滨市', '', 45.8, 126.5, 5, 21],
	['河北省', '石家庄市', '', 38.0, 114.5, 14, 15],
	['山西省', '太原市', '', 37.9, 112.5, 11, 15],
	['安徽省', '合肥市', '', 31.8, 117.2, 17, 13],
	['江西省', '南昌市', '', 28.7, 115.9, 18, 12],
	['广西壮族自治区', '南宁市', '', 22.8, 108.4, 22, 8],
	['海南省', '海口市', '', 20.0, 110.3, 24, 5],
	['海南省', '三亚市', '', 18.3, 109.5, 26, 4],
	['贵州省', '贵阳市', '', 26.6, 106.6, 15, 9],
	['云南省', '昆明市', '', 25.0, 102.7, 16, 6],
	['西藏自治区', '拉萨市', '', 29.7, 91.1, 9, 9],
	['甘肃省', '兰州市', '', 36.1, 103.8, 10, 14],
	['青海省', '西宁市', '', 36.6, 101.8, 6, 13],
	['宁夏回族自治区', '银川市', '', 38.5, 106.2, 10, 16],
	['新疆维吾尔自治区', '乌鲁木齐市', '', 43.8, 87.6, 8, 19],
	['内蒙古自治区', '呼和浩特市', '', 40.8, 111.7, 8, 17],
	['香港特别行政区', '香港', '', 22.3, 114.2, 23, 6],
	['澳门特别行政区', '澳门', '', 22.2, 113.5, 23, 6],
	['台湾省', '台北市', '', 25.0, 121.5, 23, 6],
];

const cities: City[] = rows.map(([province, city, county, latitude, longitude, mean, swing]) => ({
	province,
	city,
	county,
	latitude,
	longitude,
	mean,
	swing,
}));

const bare = (name: string) => name.replace(/市|省|新区|区|县/g, '');

/**
 * Finds a county, a city, or the first city of a province by its name, with or without 市, 省 or 区.
 * @returns undefined if no place has that name
 */
export function findCity(name: string): City | undefined {
	const wanted = bare(name);
	if (wanted === '') return undefined;
	return (
		cities.find(({ county }) => county !== '' && bare(county) === wanted) ??
		cities.find(({ city }) => bare(city) === wanted) ??
		cities.find(({ province }) => bare(province).startsWith(wanted))
	);
}

/** Number of cities in the air quality ranking. */
export const rankedCities = 365;
