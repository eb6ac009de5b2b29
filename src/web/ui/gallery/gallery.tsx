export function Gallery() {
  return <h1>Gallery</h1>;
}
