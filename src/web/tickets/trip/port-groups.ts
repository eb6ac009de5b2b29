import type { Catalogue } from '#web/platform/api/types.ts';

type Port = Catalogue['ports'][number];
/** In degrees. */
export type Position = { lat: number; lon: number };

export type PortOption = { id: string; name: string; detail: string | null };
export type PortGroup = { title: string; options: PortOption[] };

type Choices = {
  ports: readonly Port[];
  /** Ids of the ports used last, the latest first. */
  recent: readonly string[];
  position: Position | null;
  /** Ids that only a journey with a change reaches. */
  byChange: ReadonlySet<string>;
  units: 'imperial' | 'metric';
};

const SHOWN_NEAR = 4;

/** The ports to choose from, those that are likely first. A port may be in several groups. */
export function groupPorts({ ports, recent, position, byChange, units }: Choices): PortGroup[] {
  const toOption = ({ id, name }: Port): PortOption => ({
    ...{ id, name },
    detail: byChange.has(id) ? 'with a change' : null,
  });
  const direct = ports.filter(({ id }) => !byChange.has(id));
  const others = ports.filter(({ id }) => byChange.has(id));
  const groups = [
    {
      title: 'Near you',
      options: position === null ? [] : findNearest(ports, position, units),
    },
    {
      title: 'Recent',
      options: recent.flatMap((id) => ports.find((port) => port.id === id) ?? []).map(toOption),
    },
    { title: others.length > 0 ? 'Direct' : 'All ports', options: direct.map(toOption) },
    { title: 'With a change', options: others.map(({ id, name }) => ({ id, name, detail: null })) },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** The ports whose name or code matches what is typed: names that start with it first. */
export function searchPorts(ports: readonly Port[], typed: string): PortOption[] {
  const wanted = fold(typed);
  const found = ports.flatMap((port) => {
    const rank = rankPort(port, wanted);
    return rank === null ? [] : [{ port, rank }];
  });
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ port: { id, name, code } }) => ({ id, name, detail: fold(code) === wanted ? code : null }));
}

function rankPort({ name, code }: Port, wanted: string): number | null {
  const folded = fold(name);
  if (folded.startsWith(wanted) || fold(code) === wanted) return 0;
  if (folded.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 1;
  return folded.includes(wanted) ? 2 : null;
}

/** Without case and accents. */
function fold(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function findNearest(ports: readonly Port[], position: Position, units: Choices['units']): PortOption[] {
  return ports
    .flatMap(({ id, name, lat, lon }) =>
      lat === null || lon === null ? [] : [{ id, name, km: measureKm(position, { lat, lon }) }],
    )
    .toSorted((a, b) => a.km - b.km)
    .slice(0, SHOWN_NEAR)
    .map(({ id, name, km }) => ({ id, name, detail: formatDistance(km, units) }));
}

const EARTH_RADIUS_KM = 6371;
const KM_PER_MILE = 1.609344;

/** Along the great circle. */
function measureKm(a: Position, b: Position): number {
  const [latA, latB, lon] = [a.lat, b.lat, b.lon - a.lon].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const cosine = Math.sin(latA) * Math.sin(latB) + Math.cos(latA) * Math.cos(latB) * Math.cos(lon);
  return EARTH_RADIUS_KM * Math.acos(Math.min(1, cosine));
}

/** "0.4 mi", "12 km" */
function formatDistance(km: number, units: Choices['units']): string {
  const [amount, unit] = units === 'imperial' ? [km / KM_PER_MILE, 'mi'] : [km, 'km'];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}
