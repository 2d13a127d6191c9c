/** The icons of lucide that the console uses: decoration next to a text, or in a control with a name of its own. */
import live from 'lucide-static/icons/activity.svg';
import search from 'lucide-static/icons/command.svg';
import copy from 'lucide-static/icons/copy.svg';
import download from 'lucide-static/icons/download.svg';
import health from 'lucide-static/icons/heart-pulse.svg';
import keys from 'lucide-static/icons/key-round.svg';
import overview from 'lucide-static/icons/layout-dashboard.svg';
import browse from 'lucide-static/icons/library.svg';
import work from 'lucide-static/icons/list-checks.svg';
import tokens from 'lucide-static/icons/lock-keyhole.svg';
import menu from 'lucide-static/icons/menu.svg';
import memory from 'lucide-static/icons/notebook-text.svg';
import pause from 'lucide-static/icons/pause.svg';
import edit from 'lucide-static/icons/pencil.svg';
import play from 'lucide-static/icons/play.svg';
import add from 'lucide-static/icons/plus.svg';
import supersede from 'lucide-static/icons/replace.svg';
import recall from 'lucide-static/icons/search.svg';
import entities from 'lucide-static/icons/shapes.svg';
import scheme from 'lucide-static/icons/sun-moon.svg';
import remove from 'lucide-static/icons/trash-2.svg';
import upload from 'lucide-static/icons/upload.svg';
import graph from 'lucide-static/icons/waypoints.svg';
import webhooks from 'lucide-static/icons/webhook.svg';
import close from 'lucide-static/icons/x.svg';

const SHAPES = {
  ...{ overview, recall, memory, browse, graph, entities, live, work, webhooks, keys, health },
  ...{
    add,
    close,
    commands: search,
    copy,
    download,
    edit,
    menu,
    pause,
    play,
    remove,
    scheme,
    supersede,
    tokens,
    upload,
  },
};
export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  // The shapes are constants of the bundle, never content of the service.
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{ __html: SHAPES[name] }} />;
}
