/** The bundle makes a text of it: the shapes of the icon. */
declare module 'lucide-static/icons/*.svg' {
  const shapes: string;
  export default shapes;
}
