"""Development aid: luma of several networks on the corpus at once."""
import sys, os, glob
import numpy as np
import features as ft, network, evaluate
def main(corpus, step, columns, paths, plane=0):
    gate=int(os.environ.get('GATE',3))
    nets=[network.load(p) for p in paths]; res=[]
    for path in sorted(glob.glob(os.path.join(corpus,'A_*.y4m'))):
        case=os.path.basename(path)[2:-4]
        if '420p1' in case or '_422' in case: continue
        clip=case.split('_42')[0]
        bff,planes=evaluate.read_y4m(path); targets=evaluate.read_y4m(f'{corpus}/gt_{clip}_420.y4m')[1]
        frames,truth=planes[plane],targets[plane]
        f=ft.Fields(frames,bff); sums=np.zeros(len(nets)+1); count=0
        for t in range(4,min(f.count,len(truth))-4):
            if (t//2)%step: continue
            y,B,F=ft.table(f,t); g=truth[t].astype(int); count+=g.size
            p=f.parity(t); known=((frames[t>>1][p::2].astype(int)-g[p::2])**2).sum()
            g=g[y]; M=((F[8]+F[9])>>1)+B
            e=[((B-g)**2).sum()]
            for q in nets:
                o=np.clip(B+network.infer(q,F[columns]),0,255)
                if plane==0: o=np.where(F[ft.STATIC]<gate,M,o)
                e.append(((o-g)**2).sum())
            sums+=np.array(e)+known
        ps=10*np.log10(65025/(sums/count)); res.append((case,ps))
        print('%-26s %6.2f  '%(case,ps[0]),' '.join('%+.2f'%v for v in ps[1:]-ps[0]),flush=True)
    def mean(name,pick):
        r=[p for c,p in res if pick(c)]
        if r: m=np.mean(r,0); print('%-26s %6.2f  '%(name,m[0]),' '.join('%+.2f'%v for v in m[1:]-m[0]))
    mean('mean 7',lambda c:c.endswith('420_tff'))
    mean('mean 3 unseen',lambda c:c.endswith('420_tff') and c.startswith(('mobile','zone','credits')))
    mean('lpf',lambda c:'lpf' in c)
if __name__=='__main__':
    main(sys.argv[1],int(sys.argv[2]),[int(v) for v in sys.argv[3].split(',')],sys.argv[5:],int(sys.argv[4]))
